package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// An ADD is repeated: its answer was lost, or somebody broke what it made.
@Tag("netns")
@Tag("ping")
class SameAddIT {
    private final Node node = new Node();
    private final Pod web = node.pod("web", "c1");

    @BeforeEach
    void start() {
        node.up("--pool", "10.99.1.0/24", "--pool", "fd00:99::/64");
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void itHasTheSameAnswerAndOneAllocation() {
        var first = web.add();

        assertThat(web.add()).isEqualTo(first);

        assertThat(node.events("AddressReserved")).hasSize(1);
        Kernel.assertIsLedger(node);
    }

    @Test
    void itMendsTheHostsRoutesAndRules() {
        var addresses = Pod.addresses(web.add());
        node.ip("route", "del", addresses.get(0) + "/32");
        node.ip("-6", "route", "del", addresses.get(1) + "/128");
        node.ip("rule", "del", "to", addresses.get(0), "priority", "512");
        node.ip("-6", "rule", "del", "to", addresses.get(1), "priority", "512");
        assertThat(web.call("CHECK").exit()).isEqualTo(1);

        assertThat(Pod.addresses(web.add())).isEqualTo(addresses);

        web.call("CHECK").ok();
        reachable(addresses);
        Kernel.assertIsLedger(node);
    }

    @Test
    void itMendsThePodsRoutesAndNeighbours() {
        var addresses = Pod.addresses(web.add());
        web.exec("ip", "route", "flush", "dev", "eth0").ok();
        web.exec("ip", "neigh", "flush", "nud", "permanent", "dev", "eth0").ok();
        web.exec("ip", "link", "set", "eth0", "down").ok();

        assertThat(Pod.addresses(web.add())).isEqualTo(addresses);

        web.call("CHECK").ok();
        reachable(addresses);
    }

    @Test
    void anotherNamespaceUnderTheSameKeyIsWiredAnew() {
        var addresses = Pod.addresses(web.add());
        web.anotherNamespace();

        assertThat(Pod.addresses(web.add())).isEqualTo(addresses);

        reachable(addresses);
        assertThat(node.events("AddressReserved")).hasSize(1);
        assertThat(node.events("NamespaceReplaced")).hasSize(1);
        Kernel.assertIsLedger(node);
    }

    /// The first namespace lives on, and must not keep the address.
    @Test
    void theOldNamespaceLosesWhatTheNewOneGets() {
        var addresses = Pod.addresses(web.add());
        Pod other = node.pod("web", "unused");

        var again =
                web.call(
                        "ADD",
                        "eth0",
                        Pod.config("podledger"),
                        Map.of("CNI_NETNS", "/run/netns/" + other.namespace()));

        assertThat(Pod.addresses(Pod.json(again.ok().out()))).isEqualTo(addresses);
        reachable(addresses);
        assertThat(other.exec("ip", "addr").out()).contains(addresses.getFirst());
        assertThat(web.exec("ip", "addr").out()).doesNotContain(addresses.getFirst());
        Kernel.assertIsLedger(node);
    }

    @Test
    void theHostsOwnNamespaceIsRefused() {
        var result =
                web.call(
                        "ADD",
                        "eth0",
                        Pod.config("podledger"),
                        Map.of("CNI_NETNS", "/run/netns/" + node.name()));

        assertThat(result.exit()).isEqualTo(1);
        assertThat(Pod.json(result.out()).path("code").asInt()).isEqualTo(8);
        web.del();
        Kernel.assertEmpty(node);
    }

    private void reachable(Iterable<String> addresses) {
        for (String address : addresses) {
            assertThat(node.reaches(address)).as("%s answers", address).isTrue();
        }
    }
}
