package io.podledger.ipamd.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.podledger.ipamd.netlink.Netlink;
import io.podledger.ipamd.wiring.Lab.Namespace;
import io.podledger.projections.Attachment;
import io.podledger.projections.Holding;
import io.podledger.projections.IpAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// An uplink's pods leave by it and nowhere else.
@Tag("netns")
@Tag("ping")
class UplinkTablesTest {
    private final WiringLab lab = new WiringLab();
    private Namespace host;
    private Namespace router;

    @BeforeEach
    void setUp() {
        host = lab.host();
        router = lab.pod("router");
        host.run("ip link add eth1 index 77 type veth peer name lan netns " + router.name());
        host.run("ip addr add 10.99.8.20/24 dev eth1");
        host.run("ip -6 addr add fd99:8::20/64 dev eth1 nodad");
        router.run("ip addr add 10.99.8.1/24 dev lan");
        router.run("ip addr add 10.99.9.9/32 dev lo");
        router.run("ip -6 addr add fd99:8::1/64 dev lan nodad");
        router.run("ip link set lo up");
        router.run("ip link set lan up");
        host.run("ip link set eth1 up");
    }

    @AfterEach
    void tearDown() {
        lab.close();
    }

    @Test
    void aPodReachesWhatOnlyItsUplinkReaches() throws Exception {
        int table = ensure("eth1", OptionalInt.empty(), Optional.empty(), false);
        Namespace pod = lab.pod("pod");
        Attachment attachment = new Attachment("net", "a", "eth0");
        router.run("ip route add 10.99.1.1 via 10.99.8.20");
        lab.wire(
                Leases.of(
                        attachment,
                        List.of(new Holding(IpAddress.parse("10.99.1.1"), "eth1", table))),
                pod);

        pod.ping("10.99.9.9");
        assertThatThrownBy(() -> host.ping("10.99.9.9")).isInstanceOf(AssertionError.class);
    }

    @Test
    void theTableFollowsTheInterfaceAndItsRouterTheSubnet() throws Exception {
        assertThat(ensure("eth1", OptionalInt.empty(), Optional.empty(), false)).isEqualTo(10_077);
        assertThat(ensure("eth1", OptionalInt.empty(), Optional.empty(), false)).isEqualTo(10_077);

        assertThat(host.run("ip route show table 10077"))
                .isEqualToIgnoringWhitespace(
                        "default via 10.99.8.1 dev eth1 proto 112"
                                + " 10.99.8.1 dev eth1 proto 112 scope link");
    }

    @Test
    void theRouterOfTheMainTableComesFirst() throws Exception {
        host.run("ip route add default via 10.99.8.3 dev eth1");
        host.run("ip -6 route add default via fe80::99 dev eth1");

        ensure("eth1", OptionalInt.of(7), Optional.empty(), false);
        ensure("eth1", OptionalInt.of(7), Optional.empty(), true);

        assertThat(host.run("ip route show table 7")).contains("default via 10.99.8.3");
        assertThat(host.run("ip -6 route show table 7")).contains("default via fe80::99");
    }

    @Test
    void theRouterThatSomebodyNamedIsTaken() throws Exception {
        Optional<IpAddress> named = Optional.of(IpAddress.parse("fd99:8::1"));

        ensure("eth1", OptionalInt.of(7), named, true);

        assertThat(host.run("ip -6 route show table 7")).contains("default via fd99:8::1");
    }

    @Test
    void aTableThatSomebodyFilledStaysAsItIs() throws Exception {
        host.run("ip route add default via 10.99.8.9 dev eth1 table 7");
        String before = host.run("ip route show table 7");

        ensure("eth1", OptionalInt.of(7), Optional.empty(), false);

        assertThat(host.run("ip route show table 7")).isEqualTo(before);
    }

    @Test
    void anUnknownRouterIsAskedFor() {
        assertThatThrownBy(() -> ensure("eth1", OptionalInt.empty(), Optional.empty(), true))
                .isInstanceOf(WiringException.class)
                .hasMessageContaining("the router behind eth1 is unknown: name it in --pool");
    }

    @Test
    void aMissingInterfaceIsNamed() {
        assertThatThrownBy(() -> ensure("eth9", OptionalInt.empty(), Optional.empty(), false))
                .hasMessage("there is no interface eth9");
    }

    @Test
    void interfacesWithAnAdvertisedRouteAreFound() throws Exception {
        host.run("ip -6 route add default via fe80::99 dev eth1 proto ra");

        List<String> advertised =
                host.call(
                        () -> {
                            try (Netlink netlink = Netlink.here()) {
                                return new UplinkTables(netlink).advertised();
                            }
                        });

        assertThat(advertised).containsExactly("eth1");
    }

    private int ensure(String uplink, OptionalInt table, Optional<IpAddress> gateway, boolean v6)
            throws Exception {
        return host.call(
                () -> {
                    try (Netlink netlink = Netlink.here()) {
                        return new UplinkTables(netlink).ensure(uplink, table, gateway, v6);
                    }
                });
    }
}
