package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Calls of the runtime while the daemon is not there.
@Tag("netns")
@Tag("strace")
class DaemonAwayIT {
    private static final String[] ONE_ADDRESS = {"--pool", "10.99.1.7/32", "--cooldown", "0s"};

    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aDelSucceedsAtOnceAndIsKept() throws IOException {
        node.up(ONE_ADDRESS);
        Pod web = node.pod("web", "c1");
        web.add();
        node.kill();

        // Far below the 15 s for which a DEL waits for a daemon that is silent.
        var call =
                web.start(
                        List.of("timeout", "8"), "DEL", "eth0", Pod.config("podledger"), Map.of());

        assertThat(call.result().ok().out()).isEmpty();
        assertThat(spooled()).hasSize(1);
    }

    /// The pool has one address: the ADD that waits gets it only if the DEL was done before.
    @Test
    void aKeptDelIsDoneBeforeTheFirstAdd() throws IOException {
        node.up(ONE_ADDRESS);
        Pod web = node.pod("web", "c1");
        String address = web.address();
        node.kill();
        web.del();

        node.up(ONE_ADDRESS);

        assertThat(node.pod("cart", "c2").address()).isEqualTo(address);
        assertThat(spooled()).isEmpty();
        assertThat(node.events("DelReceived"))
                .singleElement()
                .matches(del -> del.path("spooled").asBoolean());
        Kernel.assertIsLedger(node);
    }

    /// The spool is taken and given to the journal before its files go, whatever ends in between.
    @Test
    void aKeptDelOutlivesKillsOfTheDaemonThatTakesIt() throws IOException {
        node.up(ONE_ADDRESS);
        Pod web = node.pod("web", "c1");
        String address = web.address();
        node.kill();
        web.del();
        int kills = 0;
        for (String call : List.of("fdatasync", "sendto", "unlink")) {
            for (int number = 1; number <= 3; number++) {
                kills += Strace.killAt(call, number).start(node, ONE_ADDRESS) ? 1 : 0;
            }
        }
        assertThat(kills).as("kills").isGreaterThan(3);

        node.up(ONE_ADDRESS);

        assertThat(node.pod("cart", "c2").address()).isEqualTo(address);
        Kernel.assertIsLedger(node);
        JournalFacts.assertSound(node);
    }

    @Test
    void aDelThatIsKeptTwiceIsDoneOnce() throws IOException {
        node.up("--pool", "10.99.1.0/24");
        Pod web = node.pod("web", "c1");
        web.add();
        node.kill();
        web.del();
        web.delWithoutNamespace().ok();

        node.up("--pool", "10.99.1.0/24");

        Await.until(Duration.ofSeconds(10), "the spool is empty", () -> spooled().isEmpty());
        assertThat(node.events("Released")).hasSize(1);
        Kernel.assertEmpty(node);
    }

    @Test
    void anAddIsRefusedWithARetryableError() {
        node.up("--pool", "10.99.1.0/24");
        node.kill();

        JsonNode error = node.pod("web", "c1").refused();

        assertThat(error.path("code").asInt()).isEqualTo(11);
        assertThat(error.path("msg").asText()).contains("cni.sock");
    }

    /// The daemon is held, so that the ADD is surely under way when it is killed.
    @Test
    void anAddUnderWaySucceedsAcrossAKillOfTheDaemon() {
        node.up("--pool", "10.99.1.0/24");
        Pod web = node.pod("web", "c1");
        Shell.run("kill", "-STOP", String.valueOf(node.process().pid())).ok();
        Shell.Running add = web.start("ADD");
        Await.until(
                Duration.ofSeconds(10),
                "the plugin waits for its answer",
                () -> waits(add.process()));

        node.kill();
        node.up("--pool", "10.99.1.0/24");

        var addresses = Pod.addresses(Pod.json(add.result().ok().out()));
        assertThat(addresses).hasSize(1);
        assertThat(node.reaches(addresses.getFirst())).isTrue();
        assertThat(node.events("AddressReserved")).hasSize(1);
    }

    /// It sleeps and is connected: only the answer is missing.
    private static boolean waits(Process plugin) {
        Path process = Path.of("/proc/" + plugin.pid());
        try (var files = Files.list(process.resolve("fd"))) {
            return Files.readString(process.resolve("stat")).startsWith("S", statePosition(process))
                    && files.anyMatch(DaemonAwayIT::isSocket);
        } catch (IOException e) {
            return false;
        }
    }

    private static int statePosition(Path process) throws IOException {
        return Files.readString(process.resolve("stat")).lastIndexOf(')') + 2;
    }

    private static boolean isSocket(Path file) {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (IOException e) {
            return false;
        }
    }

    private List<Path> spooled() {
        try (var files = Files.list(node.spool())) {
            return files.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
