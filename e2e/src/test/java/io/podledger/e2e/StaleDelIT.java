package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A pod whose sandbox was made anew: the old sandbox's DEL comes late.
@Tag("netns")
@Tag("ping")
class StaleDelIT {
    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aDelOfTheOldSandboxTakesNothingOfTheNewOne() {
        node.up("--pool", "10.99.1.0/24");
        Pod old = node.pod("web", "s1");
        Pod fresh = node.pod("web", "s2");
        Pod neighbour = node.pod("cart", "s3");
        String oldAddress = old.address();
        String freshAddress = fresh.address();
        neighbour.add();
        Shell.Running pings = pinging(neighbour, freshAddress);

        old.delWithoutNamespace().ok();
        old.delWithoutNamespace().ok();

        Shell.run("kill", "-INT", String.valueOf(pings.process().pid())).ok();
        assertThat(pings.result().out()).contains(" 0% packet loss");
        assertThat(neighbour.reaches(freshAddress)).isTrue();
        assertThat(neighbour.reaches(oldAddress)).isFalse();
        assertThat(fresh.call("CHECK").ok().out()).isEmpty();
        Kernel.assertIsLedger(node);
        assertThat(node.state("holder"))
                .extracting(holder -> holder.path("containerId").asText())
                .containsExactlyInAnyOrder("s2", "s3");
    }

    @Test
    void theJournalNamesTheOwnerOfAStaleDel() {
        node.up("--pool", "10.99.1.0/24");
        Pod old = node.pod("web", "s1");
        old.add();
        node.pod("web", "s2").add();

        old.delWithoutNamespace().ok();

        JsonNode del = node.events("DelReceived").getFirst();
        assertThat(del.path("verdict").asText()).isEqualTo("stale");
        assertThat(del.path("containerId").asText()).isEqualTo("s1");
        assertThat(del.path("owner").path("containerId").asText()).isEqualTo("s2");
    }

    /// Runs until it is told to stop.
    private static Shell.Running pinging(Pod from, String address) {
        return Shell.start(
                Map.of(),
                new byte[0],
                List.of(
                        "ip",
                        "netns",
                        "exec",
                        from.namespace(),
                        "ping",
                        "-i",
                        "0.1",
                        "-w",
                        "60",
                        address));
    }
}
