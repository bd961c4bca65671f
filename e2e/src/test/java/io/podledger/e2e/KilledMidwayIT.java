package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// kill -9 of plugin and daemon at every system call by which an ADD or a DEL changes something,
/// one after the other, until a call gets through unhurt.
@Tag("netns")
@Tag("strace")
class KilledMidwayIT {
    private static final String[] POOL = {
        "--pool", "10.99.1.0/24", "--pool", "fd00:99::/64", "--cooldown", "0s"
    };

    /// A call has fewer of each than this; more would be a call that never gets through.
    private static final int POINTS_MAX = 40;

    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aPluginKilledAnywhereInAddLeavesNothingAfterItsDel() throws IOException {
        node.up(POOL);
        int kills = 0;
        for (Strace point : pluginPoints()) {
            Pod pod = node.pod("web", "add-" + point.call() + "-" + point.number());
            kills += traced(pod, point, "ADD").exit() == 0 ? 0 : 1;

            pod.delWithoutNamespace().ok();

            pod.close();
        }
        assertThat(kills).isGreaterThan(5);
        atRestWithNothing();
    }

    @Test
    void aPluginKilledAnywhereInDelLeavesNothingAfterItsNextDel() throws IOException {
        node.up(POOL);
        for (Strace point : pluginPoints()) {
            Pod pod = node.pod("web", "del-" + point.call() + "-" + point.number());
            pod.add();
            traced(pod, point, "DEL");

            pod.delWithoutNamespace().ok();

            pod.close();
        }
        atRestWithNothing();
    }

    /// The same ADD after a kill, as a runtime does whose request was cut off: one allocation.
    @ParameterizedTest
    @ValueSource(strings = {"sendto", "fdatasync"})
    void aDaemonKilledAnywhereInAddLosesAndDoublesNothing(String call) {
        for (int number = 1; number <= POINTS_MAX; number++) {
            node.up(POOL);
            Pod pod = node.pod("web-" + number, call + "-" + number);
            Process tracer = attach(call, number);
            Shell.Running add = pod.start("ADD");
            boolean killed = killedBefore(add);
            end(tracer);

            if (killed) {
                node.up(POOL);
            }
            var addresses = Pod.addresses(Pod.json(add.result().ok().out()));
            assertThat(Pod.addresses(pod.add())).isEqualTo(addresses).hasSize(2);
            assertThat(pod.call("CHECK").ok().out()).isEmpty();
            Kernel.assertIsLedger(node);
            pod.delWithoutNamespace().ok();
            Kernel.assertEmpty(node);
            node.kill();
            if (!killed) {
                node.up(POOL);
                atRestWithNothing();
                assertThat(number).as("points of %s", call).isGreaterThan(1);
                return;
            }
        }
        throw new AssertionError("no ADD got through");
    }

    /// The plugin has the DEL in its spool then, and the runtime believes that it is done.
    @ParameterizedTest
    @ValueSource(strings = {"sendto", "fdatasync"})
    void aDelThatADaemonDiedInIsDoneByTheNext(String call) {
        for (int number = 1; number <= POINTS_MAX; number++) {
            node.up(POOL);
            Pod pod = node.pod("web-" + number, call + "-" + number);
            pod.add();
            Process tracer = attach(call, number);
            Shell.Running del = pod.start("DEL");
            boolean killed = killedBefore(del);
            end(tracer);
            del.result().ok();
            pod.close();

            if (killed) {
                node.up(POOL);
            }
            atRestWithNothing();
            node.kill();
            if (!killed) {
                assertThat(number).as("points of %s", call).isGreaterThan(1);
                return;
            }
        }
        throw new AssertionError("no DEL got through");
    }

    private void atRestWithNothing() {
        Await.until(
                Duration.ofSeconds(20), "nothing is held", () -> node.state("holder").isEmpty());
        Kernel.assertEmpty(node);
        JournalFacts.assertSound(node);
    }

    private static Shell.Result traced(Pod pod, Strace point, String verb) {
        return pod.start(point.before(), verb, "eth0", Pod.config("podledger"), Map.of()).result();
    }

    /// Each system call by which a whole ADD of the plugin reads, writes or waits.
    private List<Strace> pluginPoints() throws IOException {
        Path trace = Files.createTempFile("podledger", "strace");
        Pod pod = node.pod("web", "traced");
        pod.start(
                        List.of("strace", "-f", "-qqq", "-o", trace.toString()),
                        "ADD",
                        "eth0",
                        Pod.config("podledger"),
                        Map.of())
                .result()
                .ok();
        pod.del();
        Map<String, Integer> calls = new HashMap<>();
        List<Strace> points = new ArrayList<>();
        for (String line : Files.readAllLines(trace)) {
            String name = line.replaceFirst("^\\d+ +", "").replaceFirst("\\(.*", "");
            if (name.matches("poll|read|openat|socket|connect|sendmsg|recvfrom|write|close")) {
                points.add(Strace.killAt(name, calls.merge(name, 1, Integer::sum)));
            }
        }
        Files.delete(trace);
        return points;
    }

    /// Traces the running daemon from now on.
    private Process attach(String call, int number) {
        List<String> command = new ArrayList<>(Strace.killAt(call, number).before());
        command.addAll(List.of("-p", String.valueOf(node.process().pid())));
        try {
            Process tracer = new ProcessBuilder(command).start();
            Await.until(Duration.ofSeconds(20), "the daemon is traced", this::traced);
            return tracer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Every thread of it.
    private boolean traced() {
        Path threads = Path.of("/proc/" + node.process().pid() + "/task");
        try (var all = Files.list(threads)) {
            return all.allMatch(KilledMidwayIT::isTraced);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean isTraced(Path thread) {
        try {
            return !Files.readString(thread.resolve("status")).contains("TracerPid:\t0");
        } catch (IOException e) {
            return true;
        }
    }

    /// Whether the daemon ends before the call does.
    private boolean killedBefore(Shell.Running call) {
        Await.until(
                Duration.ofSeconds(60),
                "the daemon or the call ends",
                () -> !node.running() || !call.process().isAlive());
        return !node.running();
    }

    private static void end(Process tracer) {
        tracer.destroy();
        try {
            tracer.waitFor();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
