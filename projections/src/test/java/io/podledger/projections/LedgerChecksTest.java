package io.podledger.projections;

import static io.podledger.projections.World.attachment;
import static io.podledger.projections.World.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LedgerChecksTest {
    private static final long NOW = 10_000;

    /// s1 is wired with .0, s2 reserved with .1, s3 releasing with .2, s4 released and .3 cooling,
    /// s9 fenced, enilost suspected with 10.0.1.0.
    private static World world() {
        World world = World.of("10.0.0.0/30", "10.0.1.0/31@eth1");
        world.running("s1", "p1");
        world.when(World.add("s2", "p2"));
        world.running("s3", "p3");
        world.when(World.del("s3", "p3"));
        world.running("s4", "p4");
        world.gone("s4", "p4");
        world.when(World.del("s9", "p9"));
        List<IpAddress> lost = List.of(IpAddress.parse("10.0.1.0"));
        world.when(new Command.Compare(List.of(new Command.Marked("enilost", "mark", lost))));
        return world;
    }

    static List<Event> impossible() {
        return List.of(
                reserved("s1", "10.0.1.1", "eth1", 101),
                reserved("s9", "10.0.1.1", "eth1", 101),
                reserved("s5", "10.0.1.1", "", 0),
                reserved("s5", "10.0.0.0", "", 0),
                reserved("s5", "10.0.0.3", "", 0),
                reserved("s5", "10.0.1.0", "eth1", 101),
                reserved("s5", "10.0.2.0", "", 0),
                reserved("s5", "fd00::", "", 0),
                new Event.NamespaceReplaced(attachment("s3"), World.namespace(9), ""),
                new Event.NamespaceReplaced(attachment("s5"), World.namespace(9), ""),
                new Event.Wired(attachment("s1")),
                new Event.Wired(attachment("s3")),
                new Event.Wired(attachment("s5")),
                new Event.WiringFailed(attachment("s1"), ""),
                new Event.AddAbandoned(attachment("s1"), ""),
                new Event.SandboxVanished("s1", SandboxSource.LIST, 1),
                new Event.AddRepeated(attachment("s3")),
                new Event.AddRepeated(attachment("s5")),
                new Event.AttachmentMissed(attachment("s3"), 1),
                new Event.AttachmentFound(attachment("s1"), ""),
                new Event.AttachmentSwept(attachment("s1"), ""),
                deleted("s3", DelVerdict.RELEASING, 0),
                deleted("s5", DelVerdict.RELEASING, 0),
                deleted("s1", DelVerdict.REPEATED, 0),
                deleted("s5", DelVerdict.REPEATED, 0),
                deleted("s1", DelVerdict.UNKNOWN, 0),
                deleted("s4", DelVerdict.UNKNOWN, 0),
                deleted("s1", DelVerdict.RELEASING, NOW + 1),
                deleted("s1", DelVerdict.STALE, 0),
                stale("s1", "s1"),
                stale("s1", "s5"),
                new Event.Released(attachment("s1"), ReleaseCause.DEL, "", NOW),
                new Event.Released(attachment("s1"), ReleaseCause.ABANDONED, "", NOW),
                new Event.Released(attachment("s4"), ReleaseCause.DEL, "", NOW),
                new Event.Released(attachment("s3"), ReleaseCause.DEL, "", NOW - 1),
                suspected("enilost", "10.0.1.0"),
                suspected("eninew", "10.0.0.0"),
                suspected("eninew", "10.0.2.0"),
                suspected("enis1", "10.0.1.1"),
                new Event.AttachmentSuspected("eninew", List.of(), ""),
                new Event.SuspicionCleared("eninew", "", NOW),
                new Event.SuspicionCleared("enilost", "", NOW - 1),
                new Event.RangeAdded(World.range("10.0.0.0/8")),
                new Event.RangeAdded(World.range("10.0.0.0/30")),
                new Event.RangeRemoved(IpAddress.parse("10.0.0.0"), 31),
                new Event.RangeRemoved(IpAddress.parse("10.0.0.2"), 30),
                new Event.StateHashed(Ledger.CANONICAL_VERSION, 1));
    }

    @ParameterizedTest
    @MethodSource("impossible")
    void aFactThatCannotFollowIsRefusedAndChangesNothing(Event event) {
        World world = world();
        List<byte[]> before = world.ledger.snapshot();

        assertThatThrownBy(() -> world.ledger.apply(NOW, event))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("cannot follow");

        assertThat(world.ledger.snapshot()).usingRecursiveComparison().isEqualTo(before);
        assertThat(Invariants.violations(world.ledger, NOW)).isEmpty();
    }

    @Test
    void ledgerTimeDoesNotGoBack() {
        World world = world();

        assertThatThrownBy(
                        () -> world.ledger.apply(world.now - 1, new Event.DaemonStopped("early")))
                .hasMessageContaining("ledger time goes back");
    }

    @Test
    void aHashOfAnotherCanonicalVersionProvesNothing() {
        World world = world();

        world.given(new Event.StateHashed(Ledger.CANONICAL_VERSION + 1, 1));
        world.when(new Command.Hash());

        assertThat(world.durable).isFalse();
    }

    private static Event reserved(String containerId, String address, String uplink, int table) {
        return new Event.AddressReserved(
                attachment(containerId),
                pod("p"),
                true,
                Mode.ROUTED,
                List.of(new Holding(IpAddress.parse(address), uplink, table)),
                World.namespace(1),
                "",
                World.device(containerId),
                0);
    }

    private static Event deleted(String containerId, DelVerdict verdict, long fence) {
        return new Event.DelReceived(
                attachment(containerId), pod("p"), verdict, Optional.empty(), false, fence);
    }

    private static Event stale(String containerId, String owner) {
        return new Event.DelReceived(
                attachment(containerId),
                pod("p"),
                DelVerdict.STALE,
                Optional.of(attachment(owner)),
                false,
                0);
    }

    private static Event suspected(String device, String address) {
        return new Event.AttachmentSuspected(device, List.of(IpAddress.parse(address)), "");
    }
}
