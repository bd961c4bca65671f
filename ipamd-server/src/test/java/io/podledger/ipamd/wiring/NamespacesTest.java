package io.podledger.ipamd.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.podledger.ipamd.netlink.Link;
import io.podledger.ipamd.netlink.Namespaces;
import io.podledger.ipamd.netlink.Netlink;
import io.podledger.ipamd.netlink.NetlinkException;
import io.podledger.ipamd.netlink.OpenNamespace;
import io.podledger.ipamd.netlink.Prefix;
import io.podledger.ipamd.netlink.Route;
import io.podledger.ipamd.wiring.Lab.Namespace;
import io.podledger.projections.IpAddress;
import io.podledger.projections.NamespaceIdentity;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// A namespace is known by what the descriptor leads to, not by its path.
@Tag("netns")
class NamespacesTest {
    private final Lab lab = new Lab();

    @AfterEach
    void tearDown() {
        lab.close();
    }

    @Test
    void twoDescriptorsOfOneNamespaceAreOneIdentity() throws Exception {
        Namespace pod = lab.namespace("pod");
        Namespace other = lab.namespace("other");
        NamespaceIdentity identity = Namespaces.identify(pod.fd(), "boot");
        try (OpenNamespace again = OpenNamespace.at(Path.of("/run/netns", pod.name()))) {
            assertThat(Namespaces.identify(again.fd(), "boot")).isEqualTo(identity);
        }
        assertThat(Namespaces.identify(other.fd(), "boot")).isNotEqualTo(identity);
        assertThat(identity.inode()).isPositive();
    }

    @Test
    void aSocketMadeInANamespaceSpeaksWithItFromOutside() throws Exception {
        Namespace pod = lab.namespace("pod");
        pod.run("ip link add only-here type veth peer name x");

        try (Netlink inside = Netlink.in(pod.fd());
                Netlink outside = Netlink.here()) {
            assertThat(inside.links()).extracting(Link::name).contains("only-here");
            assertThat(outside.link("only-here")).isEmpty();
        }
    }

    @Test
    void theKernelExplainsItsRefusal() throws Exception {
        Namespace pod = lab.namespace("pod");
        IpAddress unreachable = IpAddress.parse("192.0.2.1");
        Route route =
                new Route(
                        Prefix.all(false),
                        Optional.of(unreachable),
                        Link.LOOPBACK,
                        Route.MAIN,
                        0,
                        112);
        try (Netlink inside = Netlink.in(pod.fd())) {
            inside.order(List.of(Link.setUp(Link.LOOPBACK)));

            assertThatThrownBy(() -> inside.order(List.of(route.add())))
                    .isInstanceOf(NetlinkException.class)
                    .hasMessage(
                            "add route default via 192.0.2.1 by device 1 in table 254: Network is"
                                    + " unreachable (Nexthop has invalid gateway)");
        }
    }
}
