package io.podledger.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A daemon as `./podledger up` starts it, with folders of its own.
final class DaemonProcess implements AutoCloseable {
    private static final Duration READY_MAX = Duration.ofMinutes(2);
    private static final Duration END_MAX = Duration.ofSeconds(30);
    private static final Duration LOOK = Duration.ofMillis(2);

    private final Process process;
    private final Path state;
    private final Path run;
    private final Duration start;

    private DaemonProcess(Process process, Path state, Path run, Duration start) {
        this.process = process;
        this.state = state;
        this.run = run;
        this.start = start;
    }

    static DaemonProcess start(Lab lab, String name, String... options)
            throws IOException, InterruptedException {
        Path state = lab.disk().resolve(name);
        Path run = Files.createDirectories(lab.run().resolve(name));
        Path conf = Files.createDirectories(run.resolve("net.d"));
        File log = run.resolve("log").toFile();
        List<String> command = new ArrayList<>(List.of(lab.root().resolve("podledger") + "", "up"));
        command.addAll(List.of("--state-dir", state.toString(), "--run-dir", run.toString()));
        command.addAll(List.of("--cni-conf-dir", conf.toString()));
        command.addAll(List.of(options));
        Files.deleteIfExists(run.resolve("ready"));
        long before = System.nanoTime();
        Process process =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
        while (!Files.exists(run.resolve("ready"))) {
            if (!process.isAlive() || System.nanoTime() - before > READY_MAX.toNanos()) {
                process.destroyForcibly();
                throw new IOException(
                        "the daemon was not ready:\n" + Files.readString(log.toPath()));
            }
            Thread.sleep(LOOK);
        }
        return new DaemonProcess(process, state, run, Duration.ofNanos(System.nanoTime() - before));
    }

    /// From the launcher's start until the daemon was ready.
    Duration start() {
        return start;
    }

    String socket() {
        return run.resolve("cni.sock").toString();
    }

    String spool() {
        return state.resolve("spool").toString();
    }

    /// A field of the process's status, in MiB.
    double mebibytes(String field) throws IOException {
        String status = Files.readString(Path.of("/proc/" + process.pid() + "/status"));
        return status.lines()
                        .filter(line -> line.startsWith(field + ":"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                        .findFirst()
                        .orElseThrow()
                / 1024.0;
    }

    /// What the JVM was started with.
    String flags() throws IOException {
        String command = Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
        List<String> words = List.of(command.split("\0", -1));
        return String.join(" ", words.subList(1, words.indexOf("-jar")));
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(END_MAX.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IOException("the daemon did not end within " + END_MAX);
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
