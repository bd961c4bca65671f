package io.podledger.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Where things are, and how programs are run.
///
/// @param root the project's folder
/// @param disk a folder for files, on the disk that is measured; its parts are removed at the end
/// @param run a folder with a short path, for sockets
/// @param quick fewer turns: to see that everything works, not to believe the figures
record Lab(Path root, Path disk, Path run, boolean quick) {

    int turns(int full) {
        return quick ? Math.max(1, full / 10) : full;
    }

    String driver(String name) {
        return root.resolve("benchmarks/target/c").resolve(name).toString();
    }

    /// Runs a driver to its end.
    ///
    /// @return the lines on its stdout
    List<String> run(Object... command) throws IOException, InterruptedException {
        List<String> words = Stream.of(command).map(String::valueOf).toList();
        Process process =
                new ProcessBuilder(words).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        List<String> lines = new ArrayList<>(process.inputReader().lines().toList());
        int code = process.waitFor();
        if (code != 0) {
            throw new IOException(String.join(" ", words) + " ended with " + code);
        }
        return lines;
    }

    DaemonProcess daemon(String name, String... options) throws IOException, InterruptedException {
        return DaemonProcess.start(this, name, options);
    }

    void discard(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}
