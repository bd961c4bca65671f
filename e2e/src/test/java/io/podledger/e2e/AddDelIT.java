package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("netns")
@Tag("ping")
class AddDelIT {
    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void podsReachEachOtherAndTheHostInBothFamilies() {
        node.up("--pool", "10.99.1.0/24", "--pool", "fd00:99::/64");
        Pod web = node.pod("web", "c1");
        Pod cart = node.pod("cart", "c2");

        web.add();
        for (String address : Pod.addresses(cart.add())) {
            assertThat(web.reaches(address)).as("web reaches %s", address).isTrue();
            assertThat(node.reaches(address)).isTrue();
        }
    }

    @Test
    void aKilledDaemonKnowsWhoHoldsWhat() {
        node.up("--pool", "10.99.1.0/24");
        Pod web = node.pod("web", "c1");
        Pod cart = node.pod("cart", "c2");
        var webAddresses = Pod.addresses(web.add());
        var cartAddresses = Pod.addresses(cart.add());

        node.kill();
        assertThat(web.reaches(cartAddresses.getFirst())).isTrue();
        node.up("--pool", "10.99.1.0/24");

        assertThat(Pod.addresses(web.add())).isEqualTo(webAddresses);
        assertThat(Pod.addresses(cart.add())).isEqualTo(cartAddresses);
        assertThat(web.reaches(cartAddresses.getFirst())).isTrue();
    }

    @Test
    void aDelLeavesNothingInTheKernel() {
        node.up("--pool", "10.99.1.0/24", "--pool", "fd00:99::/64");
        String links = node.ip("-o", "link");
        String rules = node.ip("rule");
        Pod web = node.pod("web", "c1");
        web.add();
        assertThat(web.call("CHECK").exit()).isZero();

        web.del();
        web.delWithoutNamespace().ok();

        assertThat(node.ip("-o", "link")).isEqualTo(links);
        assertThat(node.ip("rule")).isEqualTo(rules);
        assertThat(node.ip("route")).doesNotContain("10.99.1.");
        assertThat(web.call("CHECK").exit()).isEqualTo(1);
    }
}
