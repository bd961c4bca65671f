package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A DEL that comes before its ADD.
@Tag("netns")
class FenceIT {
    private final Node node = new Node();

    @BeforeEach
    void start() {
        node.up("--pool", "10.99.1.0/24");
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void theLateAddIsRefusedAndAllocatesNothing() {
        Pod web = node.pod("web", "s9");
        web.delWithoutNamespace().ok();

        assertThat(web.refused().path("msg").asText()).contains("came before its ADD");

        Kernel.assertEmpty(node);
        assertThat(node.events("AddressReserved")).isEmpty();
        assertThat(node.pod("cart", "s10").address()).startsWith("10.99.1.");
    }

    @Test
    void theFenceOutlivesTheDaemon() {
        Pod web = node.pod("web", "s9");
        web.delWithoutNamespace().ok();

        node.kill().up("--pool", "10.99.1.0/24");

        assertThat(web.refused().path("msg").asText()).contains("came before its ADD");
        Kernel.assertEmpty(node);
    }

    /// As nerdctl does when it starts a stopped container.
    @Test
    void addDelAddOfOneContainerWorks() {
        Pod web = node.pod("web", "s9");
        web.add();
        web.del();

        String address = web.address();

        assertThat(node.reaches(address)).isTrue();
        Kernel.assertIsLedger(node);
    }

    @Test
    void aDelOfOneInterfaceFencesNoOther() {
        Pod web = node.pod("web", "s9");
        web.call("DEL", "eth1", Pod.config("podledger"), Map.of("CNI_NETNS", "")).ok();

        web.add();

        Kernel.assertIsLedger(node);
    }
}
