package io.podledger.e2e;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
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
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/// A node of its own on this machine: a network namespace, a state folder, and the real daemon in
/// both.
final class Node implements AutoCloseable {
    private static final Path ROOT = root();

    /// The node's own addresses, which it speaks to pods from.
    static final String ADDRESS = "192.168.99.1";

    static final String ADDRESS6 = "fd00:98::1";

    static final Duration START_BOUND = Duration.ofSeconds(60);

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
    private final List<Pod> pods = new CopyOnWriteArrayList<>();
    private final AtomicInteger podsMade = new AtomicInteger();
    private Optional<Process> daemon = Optional.empty();
    private Optional<Path> bootId = Optional.empty();

    Node() {
        try {
            folder = Files.createTempDirectory("podledger-e2e");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        namespace();
    }

    private void namespace() {
        Shell.run("ip", "netns", "add", name).ok();
        Shell.run("ip", "-n", name, "link", "set", "lo", "up").ok();
        Shell.run("ip", "-n", name, "addr", "add", ADDRESS + "/32", "dev", "lo").ok();
        Shell.run("ip", "-n", name, "addr", "add", ADDRESS6 + "/128", "dev", "lo").ok();
    }

    /// Whether a pod answers the node.
    boolean reaches(String address) {
        return exec("ping", "-c1", "-W2", "-q", address).exit() == 0;
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

    Path folder() {
        return folder;
    }

    Path conflist() {
        return folder.resolve("net.d/10-podledger.conflist");
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
        Await.until(START_BOUND, this::stuck, () -> ready() || !running());
        if (!running()) {
            throw new AssertionError("the daemon ended: " + logged());
        }
        return this;
    }

    /// What the daemon said, with a dump of its threads.
    private String stuck() {
        Shell.run("kill", "-QUIT", String.valueOf(process().pid()));
        try {
            daemon.orElseThrow().waitFor(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return "ready: " + logged();
    }

    /// Starts the daemon and does not wait.
    Process spawn(List<String> before, String... options) {
        try {
            Files.deleteIfExists(runDir().resolve("ready"));
            Process process =
                    new ProcessBuilder(command(before, options))
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                            .start();
            daemon = Optional.of(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The daemon's command on this node.
    List<String> command(List<String> before, String... options) {
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", name));
        command.addAll(booted());
        command.addAll(before);
        command.addAll(java("ipamd-server/target/ipamd-server.jar"));
        command.addAll(
                List.of(
                        "up",
                        "--state-dir",
                        stateDir().toString(),
                        "--run-dir",
                        runDir().toString(),
                        "--cni-conf-dir",
                        folder.resolve("net.d").toString()));
        command.addAll(List.of(options));
        return command;
    }

    /// Java on one of our jars, as the launcher starts it.
    static List<String> java(String jar) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-jar", ROOT.resolve(jar).toString()));
        return command;
    }

    /// A power cut and a new boot: daemon, devices, routes, rules and containers are gone, the disk
    /// stays, and the kernel has another boot ID.
    void reboot() {
        kill();
        pods.forEach(Pod::close);
        Shell.run("ip", "netns", "del", name).ok();
        namespace();
        try {
            bootId = Optional.of(Files.createTempFile(folder, "boot", ""));
            Files.writeString(bootId.get(), UUID.randomUUID() + "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What makes a command see this node's boot ID.
    List<String> booted() {
        return bootId.map(
                        file ->
                                List.of(
                                        "unshare",
                                        "--mount",
                                        "sh",
                                        "-c",
                                        "mount --bind "
                                                + file
                                                + " /proc/sys/kernel/random/boot_id"
                                                + " && exec \"$@\"",
                                        "sh"))
                .orElse(List.of());
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

    /// The JVM itself, also where other programs started it.
    ProcessHandle process() {
        Process first = daemon.orElseThrow();
        return first.descendants().reduce((_, last) -> last).orElse(first.toHandle());
    }

    /// kill -9.
    Node kill() {
        process().destroyForcibly();
        return ended();
    }

    /// SIGTERM.
    Node stop() {
        process().destroy();
        return ended();
    }

    /// The end of the daemon, however it comes about.
    int exit() {
        ended();
        return daemon.orElseThrow().exitValue();
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
        Pod pod = new Pod(this, podName, containerId, podsMade.getAndIncrement());
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
        List<String> command = new ArrayList<>(java("replay-tool/target/replay-tool.jar"));
        command.addAll(List.of(arguments));
        command.addAll(List.of("--state-dir", stateDir().toString()));
        return Shell.run(command.toArray(String[]::new));
    }

    /// The journal's facts of a type, oldest first.
    List<JsonNode> events(String type) {
        return replay("events", "--json")
                .ok()
                .out()
                .lines()
                .map(Pod::json)
                .filter(of("type", type))
                .toList();
    }

    /// What the ledger holds of a kind: holder, cooling, suspect.
    List<JsonNode> state(String kind) {
        return replay("state", "--json")
                .ok()
                .out()
                .lines()
                .map(Pod::json)
                .filter(of("kind", kind))
                .toList();
    }

    private static Predicate<JsonNode> of(String field, String value) {
        return node -> node.path(field).asText().equals(value);
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
