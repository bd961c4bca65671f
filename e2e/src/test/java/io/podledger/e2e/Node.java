package io.podledger.e2e;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/// A node of its own on this machine: a network namespace, a state folder, and the real daemon in
/// both.
final class Node implements AutoCloseable {
    private static final Path ROOT = root();
    private static final Duration START_BOUND = Duration.ofSeconds(30);

    /// What the launcher gives, too.
    private static final List<String> JVM =
            List.of(
                    "-XX:+UseSerialGC",
                    "-Xmx64m",
                    "-XX:TieredStopAtLevel=1",
                    "--sun-misc-unsafe-memory-access=allow",
                    "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                    "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
                    "--enable-native-access=ALL-UNNAMED");

    private final String name = "pl-" + HexFormat.of().toHexDigits(new Random().nextInt());
    private final Path folder;
    private final List<Pod> pods = new ArrayList<>();
    private Optional<Process> daemon = Optional.empty();

    Node() {
        try {
            folder = Files.createTempDirectory("podledger-e2e");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Shell.run("ip", "netns", "add", name).ok();
        Shell.run("ip", "-n", name, "link", "set", "lo", "up").ok();
    }

    private static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        return Files.exists(folder.resolve("mvnw")) ? folder : requireNonNull(folder.getParent());
    }

    static Path shim() {
        return ROOT.resolve("cni-shim/target/podledger");
    }

    String name() {
        return name;
    }

    Path stateDir() {
        return folder.resolve("state");
    }

    Path runDir() {
        return folder.resolve("run");
    }

    Path spool() {
        return stateDir().resolve("spool");
    }

    Path log() {
        return folder.resolve("daemon.log");
    }

    /// Starts the daemon and waits until it is ready.
    Node up(String... options) {
        return up(List.of(), options);
    }

    /// @param before what the daemon's command is given to, such as a tracer
    Node up(List<String> before, String... options) {
        spawn(before, options);
        Await.until(START_BOUND, "ready: " + logged(), () -> ready() || !running());
        if (!running()) {
            throw new AssertionError("the daemon ended: " + logged());
        }
        return this;
    }

    /// Starts the daemon and does not wait.
    Process spawn(List<String> before, String... options) {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", name));
        command.addAll(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(
                List.of(
                        "-jar",
                        ROOT.resolve("ipamd-server/target/ipamd-server.jar").toString(),
                        "up",
                        "--state-dir",
                        stateDir().toString(),
                        "--run-dir",
                        runDir().toString(),
                        "--cni-conf-dir",
                        folder.resolve("net.d").toString()));
        command.addAll(List.of(options));
        try {
            Files.deleteIfExists(runDir().resolve("ready"));
            File log = log().toFile();
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                            .start();
            daemon = Optional.of(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean running() {
        return daemon.filter(Process::isAlive).isPresent();
    }

    boolean ready() {
        return Files.exists(runDir().resolve("ready"));
    }

    String logged() {
        try {
            return Files.exists(log()) ? Files.readString(log()) : "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// kill -9.
    Node kill() {
        daemon.orElseThrow().destroyForcibly();
        return ended();
    }

    /// SIGTERM.
    Node stop() {
        daemon.orElseThrow().destroy();
        return ended();
    }

    private Node ended() {
        try {
            if (!daemon.orElseThrow().waitFor(20, TimeUnit.SECONDS)) {
                throw new AssertionError("the daemon does not end: " + logged());
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return this;
    }

    /// A container with an empty network namespace of its own.
    Pod pod(String podName, String containerId) {
        Pod pod = new Pod(this, podName, containerId, pods.size());
        pods.add(pod);
        return pod;
    }

    /// What `ip` says in the node.
    String ip(String... arguments) {
        List<String> command = new ArrayList<>(List.of("ip", "-n", name));
        command.addAll(List.of(arguments));
        return Shell.run(command.toArray(String[]::new)).ok().out();
    }

    Shell.Result exec(String... command) {
        List<String> whole = new ArrayList<>(List.of("ip", "netns", "exec", name));
        whole.addAll(List.of(command));
        return Shell.run(whole.toArray(String[]::new));
    }

    /// The replay tool on this node's journal.
    Shell.Result replay(String... arguments) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString()));
        command.addAll(JVM);
        command.addAll(
                List.of("-jar", ROOT.resolve("replay-tool/target/replay-tool.jar").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--state-dir", stateDir().toString()));
        return Shell.run(command.toArray(String[]::new));
    }

    @Override
    public void close() {
        if (running()) {
            kill();
        }
        pods.forEach(Pod::close);
        Shell.run("ip", "netns", "del", name);
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
