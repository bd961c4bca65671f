package io.podledger.ipamd.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.podledger.ipamd.wiring.Lab.Namespace;
import io.podledger.projections.Attachment;
import io.podledger.projections.Command;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Lease;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// What is taken away is all that is ours, and nothing else.
@Tag("netns")
@Tag("ping")
class TeardownTest {
    private static final String V4 = "10.99.1.1";
    private static final String V6 = "fd99:1::1";

    private final WiringLab lab = new WiringLab();
    private final Lease lease =
            Leases.of(
                    new Attachment("net", "a", "eth0"),
                    List.of(Leases.holding(V4, 10_007), Leases.holding(V6, 10_007)));
    private Namespace host;
    private Namespace pod;

    @BeforeEach
    void setUp() {
        host = lab.host();
        pod = lab.pod("pod");
    }

    @AfterEach
    void tearDown() {
        lab.close();
    }

    @Test
    void nothingIsLeft() throws Exception {
        String before = lab.hostState();
        lab.wire(lease, pod);

        lab.unwire(lease);

        assertThat(lab.hostState()).isEqualTo(before);
        assertThat(pod.run("ip -o link")).doesNotContain("eth0");
    }

    @Test
    void whatIsGoneIsGoneAgain() throws Exception {
        String before = lab.hostState();

        lab.unwire(lease);
        lab.unwire(lease);

        assertThat(lab.hostState()).isEqualTo(before);
    }

    @Test
    void theNamespaceNeedNotBeThere() throws Exception {
        String before = lab.hostState();
        lab.wire(lease, pod);
        lab.delete(pod);

        lab.unwire(lease);

        assertThat(lab.hostState()).isEqualTo(before);
    }

    @Test
    void everyCopyOfARuleGoes() throws Exception {
        String before = lab.hostState();
        lab.wire(lease, pod);
        host.run("ip rule add from 10.99.1.1 lookup 3 pref 1536 protocol 112");
        host.run("ip rule add from 10.99.1.1 lookup 4 pref 1536 protocol 112");
        host.run("ip -6 rule add from fd99:1::1 lookup 4 pref 1536 protocol 112");

        lab.unwire(lease);

        assertThat(lab.hostState()).isEqualTo(before);
    }

    @Test
    void otherPodsAndForeignRulesStay() throws Exception {
        Namespace other = lab.pod("other");
        lab.wire(Leases.of("b", "10.99.1.2", "fd99:1::2"), other);
        host.run("ip rule add from 10.99.1.1 lookup 3 pref 1536 protocol 99");
        host.run("ip rule add to 10.99.1.1 lookup 3 pref 512");
        String before = lab.hostState();
        lab.wire(Leases.of("c", "10.99.1.3"), pod);

        lab.unwire(Leases.of("c", "10.99.1.3", V4));

        assertThat(lab.hostState()).isEqualTo(before);
        host.ping("10.99.1.2", "fd99:1::2");
    }

    @Test
    void theRouteOfAnotherPodIsNeverTaken() throws Exception {
        lab.wire(lease, pod);
        String before = lab.hostState();

        assertThatThrownBy(() -> lab.unwire(Leases.of("b", V4)))
                .isInstanceOf(WiringException.class)
                .hasMessageContaining(lease.hostDevice());
        assertThat(lab.hostState()).isEqualTo(before);
    }

    @Test
    void aForeignDeviceWithOurNameIsNamedAndUntouched() throws Exception {
        host.run("ip link add " + lease.hostDevice() + " type veth peer name x");
        String before = lab.hostState();

        assertThatThrownBy(() -> lab.unwire(lease))
                .hasMessageContaining("device " + lease.hostDevice() + " without a mark");
        assertThat(lab.hostState()).isEqualTo(before);
    }

    @Test
    void theDeviceOfAnotherJournalIsNamedAndUntouched() throws Exception {
        lab.wire(lease, pod);
        try (RoutedWiring stranger = new RoutedWiring("journal-2", Path.of("/proc/sys"))) {
            assertThatThrownBy(
                            () ->
                                    host.call(
                                            () -> {
                                                stranger.unwire(
                                                        Leases.of(lease.attachment(), List.of()));
                                                return true;
                                            }))
                    .hasMessageContaining("podledger:journal-1:net/a/eth0");
        }
        lab.check(lease, pod);
    }

    @Test
    void aDeviceThatWasNeverMarkedGoes() throws Exception {
        String before = lab.hostState();
        host.run(
                "ip link add %s address %s type veth peer name x"
                        .formatted(lease.hostDevice(), Naming.hostMac(lease.attachment())));

        lab.unwire(lease);

        assertThat(lab.hostState()).isEqualTo(before);
    }

    @Test
    void markedDevicesAreListedWithTheirAddresses() throws Exception {
        Namespace other = lab.pod("other");
        lab.wire(lease, pod);
        lab.wire(Leases.of("b", "10.99.1.2"), other);
        host.run("ip link add their0 type veth peer name x");
        host.run("ip link set their0 alias podledger:journal-1:net/b/eth0");

        List<Command.Marked> marked = host.call(() -> lab.wiring().marked());

        assertThat(marked)
                .containsExactlyInAnyOrder(
                        new Command.Marked(
                                lease.hostDevice(),
                                "podledger:journal-1:net/a/eth0",
                                List.of(IpAddress.parse(V4), IpAddress.parse(V6))),
                        new Command.Marked(
                                Naming.hostDevice(new Attachment("net", "b", "eth0")),
                                "podledger:journal-1:net/b/eth0",
                                List.of(IpAddress.parse("10.99.1.2"))));
    }

    @Test
    void aSuspectOfAnyJournalIsRemoved() throws Exception {
        String before = lab.hostState();
        lab.wire(lease, pod);
        try (RoutedWiring stranger = new RoutedWiring("journal-2", Path.of("/proc/sys"))) {
            host.call(
                    () -> {
                        stranger.remove(lease.hostDevice(), Layout.addresses(lease));
                        stranger.remove(lease.hostDevice(), Layout.addresses(lease));
                        return true;
                    });
        }
        assertThat(lab.hostState()).isEqualTo(before);
    }

    @Test
    void aSuspectWithoutAMarkIsNamedAndUntouched() throws Exception {
        host.run("ip link add eni00000000000 type veth peer name x");
        String before = lab.hostState();

        assertThatThrownBy(
                        () ->
                                host.call(
                                        () -> {
                                            lab.wiring().remove("eni00000000000", List.of());
                                            return true;
                                        }))
                .hasMessageContaining("eni00000000000 without a mark");
        assertThat(lab.hostState()).isEqualTo(before);
    }
}
