package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// More pods than addresses.
@Tag("netns")
class FullPoolIT {
    private static final String[] FOUR = {"--pool", "10.99.1.4/30", "--cooldown", "4s"};

    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void anAddIsToldPoolSizeAndCooling() {
        node.up("--pool", "10.99.1.4/30", "--cooldown", "1h");
        List<Pod> pods = four();
        JsonNode full = node.pod("late", "c9").refused();
        pods.getFirst().del();
        JsonNode cooling = node.pod("late", "c9").refused();

        assertThat(full.path("code").asInt()).isEqualTo(11);
        assertThat(full.path("msg").asText())
                .contains("10.99.1.4/30", "of 4", "4 are in use", "0 are cooling");
        assertThat(cooling.path("code").asInt()).isEqualTo(11);
        assertThat(cooling.path("msg").asText())
                .contains("of 4", "3 are in use", "1 are cooling", "free in");
        assertThat(node.events("AddressReserved")).hasSize(4);
        assertThat(node.state("holder")).hasSize(3);
        Kernel.assertIsLedger(node);
    }

    @Test
    void anAddWorksOnceAnAddressHasRested() {
        node.up(FOUR);
        List<Pod> pods = four();
        node.pod("late", "c9").refused();
        String address = Pod.addresses(pods.get(2).add()).getFirst();
        pods.get(2).del();

        Pod late = node.pod("late", "c10");
        Await.until(Duration.ofSeconds(30), "an ADD works", () -> late.call("ADD").exit() == 0);

        assertThat(late.address()).isEqualTo(address);
        JournalFacts.assertSound(node);
        Kernel.assertIsLedger(node);
    }

    /// The rest goes on through a restart, and does not begin anew.
    @Test
    void aRestartNeitherShortensNorForgetsTheRest() {
        node.up("--pool", "10.99.1.4/30", "--cooldown", "1h");
        List<Pod> pods = four();
        pods.forEach(Pod::del);

        node.kill().up("--pool", "10.99.1.4/30", "--cooldown", "0s");

        assertThat(node.pod("late", "c9").refused().path("msg").asText()).contains("4 are cooling");
        assertThat(node.state("cooling")).hasSize(4);
    }

    private List<Pod> four() {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Pod pod = node.pod("web-" + i, "c" + i);
            pod.add();
            pods.add(pod);
        }
        return pods;
    }
}
