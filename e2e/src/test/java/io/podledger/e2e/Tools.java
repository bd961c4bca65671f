package io.podledger.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Programs of Debian's that tests need. One that is missing fails the test and is named with its
/// package: nothing is skipped in silence.
final class Tools {
    static final Path CNI_PLUGINS = Path.of("/usr/lib/cni");

    private static final List<Path> FOLDERS =
            List.of(Path.of("/usr/bin"), Path.of("/usr/sbin"), Path.of("/bin"), Path.of("/sbin"));

    private Tools() {}

    static void need(String program, String debianPackage) {
        need(FOLDERS.stream().map(folder -> folder.resolve(program)).toList(), debianPackage);
    }

    /// One of the reference plugins.
    static Path cniPlugin(String name) {
        Path plugin = CNI_PLUGINS.resolve(name);
        need(List.of(plugin), "containernetworking-plugins");
        return plugin;
    }

    /// What a command is given to so that its wall clock is off by a time such as `-1h`. The JVM's
    /// own monotonic clock is off by as much, all its life long; telling the library to leave that
    /// one alone makes the JVM hang.
    static List<String> wallClockOff(String offset) {
        return List.of("env", "LD_PRELOAD=" + libfaketime(), "FAKETIME=" + offset);
    }

    private static Path libfaketime() {
        try (var folders = Files.newDirectoryStream(Path.of("/usr/lib"))) {
            for (Path folder : folders) {
                Path library = folder.resolve("faketime/libfaketimeMT.so.1");
                if (Files.exists(library)) {
                    return library;
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        throw new AssertionError("there is no libfaketimeMT.so.1: install libfaketime");
    }

    private static void need(List<Path> places, String debianPackage) {
        if (places.stream().noneMatch(Files::isExecutable)) {
            throw new AssertionError(
                    "there is no "
                            + places.getFirst().getFileName()
                            + ": install "
                            + debianPackage);
        }
    }
}
