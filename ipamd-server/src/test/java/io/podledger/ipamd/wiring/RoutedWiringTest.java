package io.podledger.ipamd.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.podledger.ipamd.netlink.OpenNamespace;
import io.podledger.ipamd.wiring.Lab.Namespace;
import io.podledger.projections.Attachment;
import io.podledger.projections.Lease;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Pods that are wired reach each other and the host at once; wiring twice is wiring once.
@Tag("netns")
@Tag("ping")
class RoutedWiringTest {
    private final WiringLab lab = new WiringLab();
    private Namespace host;
    private Namespace pod;

    @BeforeEach
    void setUp() throws Exception {
        host = lab.host();
        pod = lab.pod("pod");
    }

    @AfterEach
    void tearDown() {
        lab.close();
    }

    @Test
    void podsOfBothFamiliesReachEachOtherAndTheHostAtOnce() throws Exception {
        Namespace other = lab.pod("other");
        lab.wire(Leases.of("a", "10.99.1.1", "fd99:1::1"), pod);
        lab.wire(Leases.of("b", "10.99.1.2", "fd99:1::2"), other);

        host.ping("10.99.1.1", "fd99:1::1", "10.99.1.2", "fd99:1::2");
        pod.ping("10.99.1.2", "fd99:1::2", "10.99.0.1", "fd99::1", "127.0.0.1", "::1");
        other.ping("10.99.1.1", "fd99:1::1");
    }

    @Test
    void podsOfOneFamilyAreReached() throws Exception {
        Namespace other = lab.pod("other");
        lab.wire(Leases.of("a", "10.99.1.1"), pod);
        lab.wire(Leases.of("b", "fd99:1::2"), other);

        host.ping("10.99.1.1", "fd99:1::2");
        assertThat(pod.run("ip -6 route show default")).isEmpty();
        assertThat(other.run("ip -4 route")).isEmpty();
    }

    @Test
    void twoInterfacesOfOnePodAreReachedAndTheFirstLeads() throws Exception {
        Attachment first = new Attachment("net", "a", "eth0");
        Attachment second = new Attachment("other", "a", "net1");
        lab.wire(Leases.of(first, List.of(Leases.holding("10.99.1.1", 0))), pod);
        lab.wire(Leases.of(second, List.of(Leases.holding("10.99.1.2", 0))), pod);

        host.ping("10.99.1.1", "10.99.1.2");
        assertThat(pod.run("ip route get 10.99.0.1")).contains("dev eth0 src 10.99.1.1");
    }

    @Test
    void wiringAgainChangesNothing() throws Exception {
        Lease lease = Leases.of("a", "10.99.1.1", "fd99:1::1");
        lab.wire(lease, pod);
        String before = lab.state(pod);

        lab.wire(lease, pod);

        assertThat(lab.state(pod)).isEqualTo(before);
        pod.ping("10.99.0.1", "fd99::1");
    }

    @Test
    void anotherNamespaceUnderTheSameKeyIsWiredAnew() throws Exception {
        Namespace next = lab.pod("next");
        Lease lease = Leases.of("a", "10.99.1.1", "fd99:1::1");
        lab.wire(lease, pod);

        lab.wire(lease, next);

        assertThat(pod.run("ip -o link")).doesNotContain("eth0");
        next.ping("10.99.0.1", "fd99::1");
    }

    @Test
    void aDeviceThatTheDaemonDiedBeforeMarkingIsFinished() throws Exception {
        Lease lease = Leases.of("a", "10.99.1.1");
        host.run(
                "ip link add %s address %s type veth peer name eth0 address %s netns %s"
                        .formatted(
                                lease.hostDevice(),
                                Naming.hostMac(lease.attachment()),
                                Naming.podMac(lease.attachment()),
                                pod.name()));

        lab.wire(lease, pod);

        host.ping("10.99.1.1");
    }

    @Test
    void aForeignDeviceWithOurNameIsNamedAndUntouched() throws Exception {
        Lease lease = Leases.of("a", "10.99.1.1");
        host.run("ip link add " + lease.hostDevice() + " type veth peer name x");
        host.run("ip link set " + lease.hostDevice() + " alias their-own");
        String before = lab.hostState();

        assertThatThrownBy(() -> lab.wire(lease, pod))
                .isInstanceOf(WiringException.class)
                .hasMessageContaining(lease.hostDevice())
                .hasMessageContaining("their-own");
        assertThat(lab.hostState()).isEqualTo(before);
    }

    @Test
    void aForeignDeviceInThePodIsNamedAndUntouched() throws Exception {
        pod.run("ip link add eth0 type veth peer name x");
        String before = lab.state(pod);

        assertThatThrownBy(() -> lab.wire(Leases.of("a", "10.99.1.1"), pod))
                .hasMessageContaining("already has a device eth0");
        assertThat(lab.state(pod)).isEqualTo(before);
    }

    @Test
    void aForeignRuleInOurPlaceIsNamedAndUntouched() throws Exception {
        host.run("ip rule add to 10.99.1.1 lookup main pref 512 protocol 99");

        assertThatThrownBy(() -> lab.wire(Leases.of("a", "10.99.1.1"), pod))
                .hasMessageContaining("rule 512: to 10.99.1.1/32 lookup 254 of protocol 99");
        assertThat(host.run("ip rule")).contains("to 10.99.1.1 lookup main proto openr");
    }

    @Test
    void aForeignRouteInOurPlaceIsNamedAndUntouched() throws Exception {
        host.run("ip route add 10.99.1.1 dev lo proto 99");

        assertThatThrownBy(() -> lab.wire(Leases.of("a", "10.99.1.1"), pod))
                .hasMessageContaining("route 10.99.1.1/32")
                .hasMessageContaining("of protocol 99");
        assertThat(host.run("ip route")).contains("10.99.1.1 dev lo proto openr");
    }

    @Test
    void theAddressOfALivePodIsNeverTaken() throws Exception {
        Namespace other = lab.pod("other");
        lab.wire(Leases.of("a", "10.99.1.1"), pod);

        assertThatThrownBy(() -> lab.wire(Leases.of("b", "10.99.1.1"), other))
                .hasMessageContaining("10.99.1.1/32");
        host.ping("10.99.1.1");
    }

    @Test
    void aPodOfAnUplinkLeavesByItsTable() throws Exception {
        Attachment attachment = new Attachment("net", "a", "eth0");
        lab.wire(
                Leases.of(
                        attachment,
                        List.of(
                                Leases.holding("10.99.1.1", 10_007),
                                Leases.holding("fd99:1::1", 10_007))),
                pod);

        assertThat(host.run("ip rule"))
                .contains("512:\tfrom all to 10.99.1.1 lookup main proto 112")
                .contains("1536:\tfrom 10.99.1.1 lookup 10007 proto 112");
        assertThat(host.run("ip -6 rule")).contains("1536:\tfrom fd99:1::1 lookup 10007");
        host.ping("10.99.1.1", "fd99:1::1");
    }

    @Test
    void aRuleOfOursToAnotherTableIsReplaced() throws Exception {
        host.run("ip rule add from 10.99.1.1 lookup 77 pref 1536 protocol 112");

        lab.wire(Leases.of("a", "10.99.1.1"), pod);

        assertThat(host.run("ip rule")).doesNotContain("lookup 77");
    }

    @Test
    void aPodCannotBecomeTheHostsRouterByAdvertisement() throws Exception {
        Lease lease = Leases.of("a", "10.99.1.1");
        lab.wire(lease, pod);

        assertThat(host.run("cat /proc/sys/net/ipv6/conf/" + lease.hostDevice() + "/accept_ra"))
                .isEqualTo("0\n");
        assertThat(host.run("ip -6 addr show dev " + lease.hostDevice())).isEmpty();
    }

    @Test
    void manyPodsAreWiredAndTakenAwayAtOnce() throws Exception {
        String before = lab.hostState();
        List<Lease> leases =
                IntStream.range(0, 12)
                        .mapToObj(i -> Leases.of("c" + i, "10.99.1." + i, "fd99:1::" + (i + 1)))
                        .toList();
        List<Namespace> pods = leases.stream().map(l -> lab.pod(l.hostDevice())).toList();
        try (var threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Boolean>> tasks =
                    IntStream.range(0, 12)
                            .mapToObj(i -> wired(leases.get(i), pods.get(i)))
                            .toList();
            for (var done : threads.invokeAll(tasks)) {
                assertThat(done.get()).isTrue();
            }
        }
        assertThat(lab.hostState()).isEqualTo(before);
    }

    private Callable<Boolean> wired(Lease lease, Namespace into) {
        return () -> {
            lab.wire(lease, into);
            into.ping("10.99.0.1", "fd99::1");
            lab.unwire(lease);
            return true;
        };
    }

    @Test
    void namesOfAnyLengthAreWiredAndTakenAway() throws Exception {
        String before = lab.hostState();
        Attachment attachment = new Attachment("n".repeat(300), "c".repeat(64), "fifteen-bytes-0");
        Lease lease = Leases.of(attachment, List.of(Leases.holding("10.99.1.1", 0)));
        lab.wire(lease, pod);
        lab.wire(lease, pod);

        host.ping("10.99.1.1");
        assertThat(host.run("ip link show " + lease.hostDevice()))
                .contains("alias " + Mark.of(WiringLab.JOURNAL, attachment).text());
        lab.unwire(lease);
        assertThat(lab.hostState()).isEqualTo(before);
    }

    @Test
    void noDescriptorIsLeftAndTheThreadStaysWhereItIs() throws Exception {
        Path own = Path.of("/proc/thread-self/ns/net");
        Path before = Files.readSymbolicLink(own);
        Lease lease = Leases.of("a", "10.99.1.1", "fd99:1::1");
        cycle(lease);
        long open = descriptors();

        for (int i = 0; i < 20; i++) {
            cycle(lease);
        }

        assertThat(descriptors()).isEqualTo(open);
        assertThat(Files.readSymbolicLink(own)).isEqualTo(before);
    }

    @Test
    void aDescriptorThatIsNoNamespaceIsRefused() throws Exception {
        try (OpenNamespace file = OpenNamespace.at(Path.of("/proc/self/status"))) {
            assertThatThrownBy(
                            () ->
                                    host.call(
                                            () -> {
                                                lab.wiring()
                                                        .wire(
                                                                Leases.of("a", "10.99.1.1"),
                                                                file.fd());
                                                return true;
                                            }))
                    .isInstanceOf(WiringException.class)
                    .hasMessageContaining("Invalid argument");
        }
        assertThatCode(() -> lab.wire(Leases.of("a", "10.99.1.1"), pod)).doesNotThrowAnyException();
    }

    private void cycle(Lease lease) throws Exception {
        lab.wire(lease, pod);
        lab.wire(lease, pod);
        lab.unwire(lease);
    }

    private static long descriptors() throws Exception {
        try (var files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        }
    }
}
