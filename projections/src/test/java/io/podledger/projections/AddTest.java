package io.podledger.projections;

import static io.podledger.projections.World.add;
import static io.podledger.projections.World.attachment;
import static io.podledger.projections.World.del;
import static io.podledger.projections.World.ipam;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AddTest {
    @Test
    void reservesDurablyThenWires() {
        World world = World.of("10.0.0.0/30@eth1");

        List<Event> facts = world.when(add("s1", "p"));

        assertThat(facts).singleElement().isInstanceOf(Event.AddressReserved.class);
        assertThat(world.durable).isTrue();
        assertThat(world.outcome).isInstanceOf(Outcome.Wire.class);
        assertThat(world.holder("s1").lease().holdings())
                .containsExactly(new Holding(IpAddress.parse("10.0.0.0"), "eth1", 101));
        assertThat(world.holder("s1").state()).isEqualTo(LeaseState.RESERVED);
    }

    @Test
    void isWiredOnceTheOrderIsCarriedOut() {
        World world = World.of("10.0.0.0/30");
        world.when(add("s1", "p"));
        Outcome.Wire wire = (Outcome.Wire) world.outcome;

        List<Event> facts = world.when(new Command.WiringDone(attachment("s1"), wire.order()));

        assertThat(facts).containsExactly(new Event.Wired(attachment("s1")));
        assertThat(world.durable).isFalse();
        assertThat(world.outcome).isEqualTo(new Outcome.Granted(wire.lease()));
        assertThat(world.holder("s1").state()).isEqualTo(LeaseState.WIRED);
    }

    @Test
    void givesAnotherPluginTheAddressAtOnce() {
        World world = World.of("10.0.0.0/30");

        world.when(ipam("c1"));

        assertThat(world.durable).isTrue();
        assertThat(world.outcome).isInstanceOf(Outcome.Granted.class);
        assertThat(world.holder("c1").state()).isEqualTo(LeaseState.WIRED);
        assertThat(world.when(ipam("c1"))).containsExactly(new Event.AddRepeated(attachment("c1")));
        assertThat(world.outcome).isInstanceOf(Outcome.Granted.class);
        assertThat(world.durable).isTrue();
    }

    @Test
    void repeatedInItsNamespaceKeepsTheAddressAndVerifiesTheWiring() {
        World world = World.of("10.0.0.0/30");
        world.running("s1", "p");

        List<Event> facts = world.when(add("s1", "p"));

        assertThat(facts).containsExactly(new Event.AddRepeated(attachment("s1")));
        assertThat(world.durable).isTrue();
        assertThat(world.outcome)
                .isEqualTo(new Outcome.Wire(world.holder("s1").lease(), world.order("s1")));
        assertThat(world.when(new Command.WiringDone(attachment("s1"), world.order("s1"))))
                .isEmpty();
        assertThat(world.outcome).isInstanceOf(Outcome.Granted.class);
    }

    @Test
    void repeatedInAnotherNamespaceIsWiredAnewAndForgetsTheOlderOrder() {
        World world = World.of("10.0.0.0/30");
        List<IpAddress> addresses = world.running("s1", "p");
        long older = world.order("s1");

        List<Event> facts = world.when(add("s1", "p", 101));

        assertThat(facts).singleElement().isInstanceOf(Event.NamespaceReplaced.class);
        assertThat(world.durable).isTrue();
        assertThat(world.outcome)
                .isEqualTo(new Outcome.Wire(world.holder("s1").lease(), world.order("s1")));
        assertThat(world.holder("s1").lease().namespace()).isEqualTo(World.namespace(101));
        assertThat(world.holder("s1").state()).isEqualTo(LeaseState.RESERVED);
        assertThat(world.addresses("s1")).isEqualTo(addresses);
        assertThat(world.when(new Command.WiringDone(attachment("s1"), older))).isEmpty();
        assertThat(world.outcome).isInstanceOf(Outcome.Nothing.class);
    }

    @Test
    void getsOneAddressOfEachFamilyOrNone() {
        World world = World.of("10.0.0.0/31", "fd00::/127", "fd00::8/127");

        world.running("s1", "p1");
        world.running("s2", "p2");

        assertThat(world.texts("s1")).containsExactly("10.0.0.0", "fd00::");
        assertThat(world.texts("s2")).containsExactly("10.0.0.1", "fd00::1");
        assertThat(world.when(add("s3", "p3")))
                .singleElement()
                .isInstanceOf(Event.AddRefused.class);
        assertThat(world.ledger.counts(true, world.now).free()).isEqualTo(2);
    }

    @Test
    void isRefusedWhileTheAttachmentIsTakenDown() {
        World world = World.of("10.0.0.0/30");
        world.running("s1", "p");
        world.when(del("s1", "p"));

        world.when(add("s1", "p"));

        assertRefused(world, Refusal.RELEASING);
    }

    @Test
    void isRefusedInAnotherMode() {
        World world = World.of("10.0.0.0/30");
        world.running("c1", "p");

        world.when(ipam("c1"));

        assertRefused(world, Refusal.MODE_CHANGED);
        assertThat(world.holder("c1").lease().mode()).isEqualTo(Mode.ROUTED);
    }

    @Test
    void anEmptyPoolNamesItselfItsSizeAndWhenItHasOneAgain() {
        World world = World.of("10.0.0.0/31");
        world.fill(2);
        world.gone("fill0", "filler0");
        world.now += 20_500;

        world.when(add("s1", "p"));

        assertRefused(world, Refusal.POOL_EMPTY);
        assertThat(((Outcome.Refused) world.outcome).message())
                .contains("10.0.0.0/31", "of 2, 1 are in use, 1 are cooling", "free in 100 s");
        world.now += 99_499;
        world.when(add("s1", "p"));
        assertThat(world.outcome).isInstanceOf(Outcome.Refused.class);
        world.now += 1;
        world.when(add("s1", "p"));
        assertThat(world.texts("s1")).containsExactly("10.0.0.0");
    }

    @Test
    void aPoolWithoutRangesSaysHowToAddOne() {
        World world = World.of();

        world.when(add("s1", "p"));

        assertRefused(world, Refusal.POOL_EMPTY);
        assertThat(((Outcome.Refused) world.outcome).message()).contains("--pool");
    }

    @Test
    void refusalsOfOnePodAreWrittenDownOnceAMinuteWhateverItsSandbox() {
        World world = World.of("10.0.0.0/32");
        world.running("s0", "other");
        int facts = 0;

        for (int i = 0; i < 3_000; i++) {
            facts += world.when(add("s" + (1 + i % 7), "p")).size();
            world.now += 20;
        }

        assertThat(facts).isEqualTo(1);
        world.now += 20;
        assertThat(world.when(add("s9", "p"))).hasSize(1);
    }

    @Test
    void refusalsWithoutAPodAreWrittenDownOnceAMinuteForAnAttachment() {
        World world = World.of("10.0.0.0/32");
        world.running("s0", "other");

        assertThat(world.when(ipam("c1"))).hasSize(1);
        assertThat(world.when(ipam("c1"))).isEmpty();
        assertThat(world.when(ipam("c2"))).hasSize(1);
    }

    @Test
    void aRefusalChangesNothingThatIsHeldAndNobodyWaitsForIt() {
        World world = World.of("10.0.0.0/32");
        world.running("s0", "other");
        PoolCounts before = world.ledger.counts(world.now);

        world.when(add("s1", "p"));

        assertThat(world.durable).isFalse();
        assertThat(world.ledger.counts(world.now)).isEqualTo(before);
        assertThat(world.ledger.lease(attachment("s1"))).isEqualTo(Optional.empty());
    }

    @Test
    void twoInterfacesAndTwoNetworksOfOneContainerAreThreeAttachments() {
        World world = World.of("10.0.0.0/30");
        Command.Add first = add("s1", "p");

        world.when(first);
        world.when(as(first, new Attachment("net", "s1", "net1")));
        world.when(as(first, new Attachment("other", "s1", "eth0")));

        assertThat(world.ledger.attachments()).isEqualTo(3);
    }

    private static Command.Add as(Command.Add add, Attachment attachment) {
        return new Command.Add(
                attachment,
                add.pod(),
                true,
                Mode.ROUTED,
                add.namespace(),
                add.netnsPath(),
                "eni" + attachment.network() + attachment.ifName(),
                1_500);
    }

    @Test
    void theLedgerHasABound() {
        World world = World.of("10.0.0.0/17");
        for (int i = 0; i < Ledger.ATTACHMENTS_MAX; i++) {
            Decision decision = world.decider.decide(world.ledger, ipam("c" + i), world.now);
            decision.events().forEach(event -> world.ledger.apply(world.now, event));
        }

        world.when(ipam("one-more"));

        assertRefused(world, Refusal.LEDGER_FULL);
        assertThat(world.ledger.attachments()).isEqualTo(Ledger.ATTACHMENTS_MAX);
    }

    private static void assertRefused(World world, Refusal reason) {
        assertThat(world.outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(reason));
        assertThat(world.durable).isFalse();
    }
}
