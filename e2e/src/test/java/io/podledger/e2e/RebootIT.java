package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A power cut: every container is gone, and the runtime says so one by one after the boot.
@Tag("netns")
class RebootIT {
    private static final String[] FOUR = {"--pool", "10.99.1.4/30", "--cooldown", "1h"};

    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void nothingIsReleasedBeforeTheRuntimeSaysSo() {
        List<Pod> pods = cut();

        node.up(FOUR);

        assertThat(node.state("holder")).hasSize(pods.size());
        assertThat(node.events("Released")).isEmpty();
        assertThat(node.pod("late", "c9").refused().path("msg").asText()).contains("4 are in use");
    }

    @Test
    void delsWithoutANamespaceReleaseAllAndTheRestBeginsThen() {
        List<Pod> pods = cut();
        node.up(FOUR);

        pods.forEach(pod -> pod.delWithoutNamespace().ok());

        assertThat(node.state("holder")).isEmpty();
        assertThat(node.events("Released"))
                .hasSize(4)
                .allSatisfy(
                        released ->
                                assertThat(
                                                released.path("coolingUntilMillis").asLong()
                                                        - released.path("ledgerMillis").asLong())
                                        .isEqualTo(3_600_000));
        assertThat(node.pod("late", "c9").refused().path("msg").asText()).contains("4 are cooling");
        Kernel.assertEmpty(node);
        JournalFacts.assertSound(node);
    }

    /// The runtime may be up before the daemon is.
    @Test
    void delsThatAreKeptAfterTheBootReleaseAll() {
        List<Pod> pods = cut();
        pods.forEach(pod -> pod.delWithoutNamespace().ok());

        node.up(FOUR);

        assertThat(node.state("cooling")).hasSize(4);
        Kernel.assertEmpty(node);
    }

    /// A StatefulSet's pod, by the same container ID where the runtime counts anew.
    @Test
    void anAddAfterTheBootGetsItsAddressAndANewNamespace() {
        node.up("--pool", "10.99.1.0/24");
        Pod web = node.pod("web", "c1");
        String address = web.address();
        node.reboot();
        node.up("--pool", "10.99.1.0/24");
        web.anotherNamespace();

        assertThat(web.address()).isEqualTo(address);

        assertThat(node.reaches(address)).isTrue();
        Kernel.assertIsLedger(node);
    }

    private List<Pod> cut() {
        node.up(FOUR);
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Pod pod = node.pod("web-" + i, "c" + i);
            pod.add();
            pods.add(pod);
        }
        node.reboot();
        return pods;
    }
}
