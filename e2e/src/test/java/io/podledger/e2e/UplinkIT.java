package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Pods of a range with an uplink leave by it, and the others by the node's default route.
@Tag("netns")
@Tag("ping")
class UplinkIT {
    private static final String WORLD = "192.0.2.1";
    private static final String[] POOL = {"--pool", "10.99.1.64/27@eth1", "--cooldown", "0s"};

    private final Node node = new Node();
    private final Router first = new Router(node, "eth0", "172.31.0");
    private final Router second = new Router(node, "eth1", "172.31.1");

    @AfterEach
    void close() {
        node.close();
        first.close();
        second.close();
    }

    /// The world is behind the second uplink alone, and the main table leads to the first.
    @Test
    void podsLeaveByTheUplinkOfTheirRange() {
        node.ip("route", "add", "default", "via", first.address());
        second.has(WORLD);
        second.routes("10.99.1.64/27");
        node.up(POOL);
        Pod web = node.pod("web", "c1");
        Pod cart = node.pod("cart", "c2");

        String address = web.address();
        String other = cart.address();

        assertThat(web.reaches(WORLD)).isTrue();
        assertThat(node.reaches(WORLD)).isFalse();
        assertThat(web.reaches(other)).isTrue();
        assertThat(node.reaches(address)).isTrue();
        assertThat(second.exec("ping", "-c1", "-W2", "-q", address).exit()).isZero();
        assertThat(Kernel.of(node).fromRules()).containsExactlyInAnyOrder(address, other);
        assertThat(web.call("CHECK").exit()).isZero();
    }

    @Test
    void aPodOfAnotherRangeLeavesByTheDefaultRoute() {
        node.ip("route", "add", "default", "via", first.address());
        first.has(WORLD);
        first.routes("10.99.1.0/27");
        node.up("--pool", "10.99.1.0/27");

        Pod web = node.pod("web", "c1");
        web.add();

        assertThat(web.reaches(WORLD)).isTrue();
        assertThat(Kernel.of(node).fromRules()).isEmpty();
    }

    @Test
    void aDelTakesBothRules() {
        node.ip("route", "add", "default", "via", first.address());
        node.up(POOL);
        Pod web = node.pod("web", "c1");
        String address = web.address();
        assertThat(Kernel.of(node).fromRules()).containsExactly(address);

        node.kill().up(POOL);
        web.delWithoutNamespace().ok();

        Kernel.assertEmpty(node);
    }

    @Test
    void anUplinkThatIsNotThereIsNamed() {
        node.spawn(List.of(), "--pool", "10.99.1.64/27@eth7");

        assertThat(node.exit()).isEqualTo(69);
        assertThat(node.logged()).contains("--pool", "eth7");
    }
}
