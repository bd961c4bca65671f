package io.podledger.ipamd.wiring;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.podledger.ipamd.wiring.Lab.Namespace;
import io.podledger.projections.Attachment;
import io.podledger.projections.Lease;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Each kind of damage is found and named, and gone after the next ADD.
@Tag("netns")
@Tag("ping")
class DamageTest {
    private final WiringLab lab = new WiringLab();
    private final Attachment attachment = new Attachment("net", "a", "eth0");
    private final Lease lease =
            Leases.of(
                    attachment,
                    List.of(
                            Leases.holding("10.99.1.1", 10_007),
                            Leases.holding("fd99:1::1", 10_007)));
    private Namespace host;
    private Namespace pod;

    @BeforeEach
    void setUp() throws Exception {
        host = lab.host();
        pod = lab.pod("pod");
        lab.wire(lease, pod);
    }

    @AfterEach
    void tearDown() {
        lab.close();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "ip link del DEV, host device DEV is missing",
        "ip link set DEV down, host device DEV is down",
        "ip link set DEV mtu 1500, host device DEV has MTU 1500 instead of 9001",
        "ip link set DEV address 02:00:00:00:00:01, host device DEV has MAC 02:00:00:00:00:01",
        "ip route del 10.99.1.1, host route 10.99.1.1/32 is missing",
        "ip -6 route del fd99:1::1, host route fd99:1::1/128 is missing",
        "ip rule del pref 512, host rule 512: to 10.99.1.1/32 lookup 254 is missing",
        "ip rule del pref 1536, host rule 1536: from 10.99.1.1/32 lookup 10007 is missing",
        "ip -6 rule del pref 1536, host rule 1536: from fd99:1::1/128",
        "ip neigh del 10.99.1.1 dev DEV, host neighbour 10.99.1.1",
        "ip -6 neigh del fd99:1::1 dev DEV, host neighbour fd99:1::1",
        "sysctl -qw net.ipv6.conf.DEV.accept_ra=1, host device DEV accepts router advertisements",
    })
    void damageOnTheHostIsFoundAndMended(String command, String finding) throws Exception {
        host.run(onDevice(command));

        assertFoundAndMended(onDevice(finding));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "ip link set lo down, pod device lo is down",
        "ip link set eth0 down, pod device eth0 is down",
        "ip link set eth0 mtu 1500, pod device eth0 has MTU 1500 instead of 9001",
        "ip link set eth0 address 02:00:00:00:00:01, pod device eth0 has MAC 02:00:00:00:00:01",
        "ip addr del 10.99.1.1/32 dev eth0, pod address 10.99.1.1 is missing",
        "ip addr del fd99:1::1/128 dev eth0, pod address fd99:1::1 is missing",
        "ip route del default, pod route default via 169.254.1.1",
        "ip -6 route del default, pod route default via fe80::1",
        "ip route del 169.254.1.1, pod route 169.254.1.1/32",
        "ip neigh del 169.254.1.1 dev eth0, pod neighbour 169.254.1.1",
        "ip -6 neigh del fe80::1 dev eth0, pod neighbour fe80::1",
        "ip neigh change 169.254.1.1 dev eth0 lladdr 02:00:00:00:00:01, pod neighbour 169.254.1.1",
    })
    void damageInThePodIsFoundAndMended(String command, String finding) throws Exception {
        pod.run(command);

        assertFoundAndMended(finding);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "ip rule add from 10.99.1.1 lookup 3 pref 1000, rule 1000: from 10.99.1.1/32 lookup 3",
        "ip rule add to 10.99.1.1 lookup 3 pref 100, rule 100: to 10.99.1.1/32 lookup 3",
        "ip -6 route add fd99:1::1 dev lo metric 5, route fd99:1::1/128 by device 1",
    })
    void whatOthersPutInFrontIsFoundAndNamed(String command, String finding) {
        host.run(command);

        assertThatThrownBy(() -> lab.check(lease, pod)).hasMessageContaining(finding);
    }

    private void assertFoundAndMended(String finding) throws Exception {
        assertThatThrownBy(() -> lab.check(lease, pod))
                .isInstanceOf(WiringException.class)
                .hasMessageContaining(finding);
        lab.wire(lease, pod);
        host.ping("10.99.1.1", "fd99:1::1");
        pod.ping("10.99.0.1", "fd99::1");
    }

    private String onDevice(String text) {
        return text.replace("DEV", lease.hostDevice());
    }
}
