package io.podledger.projections;

import static io.podledger.projections.World.add;
import static io.podledger.projections.World.attachment;
import static io.podledger.projections.World.del;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WiringTest {
    private final World world = World.of("10.0.0.0/30");

    @Test
    void thatFailsIsTakenDownAndTheAddressReleased() {
        world.when(add("s1", "p"));

        List<Event> facts =
                world.when(new Command.WiringBroke(attachment("s1"), world.order("s1"), "ENOSPC"));

        assertThat(facts).containsExactly(new Event.WiringFailed(attachment("s1"), "ENOSPC"));
        assertThat(world.durable).isTrue();
        assertThat(world.outcome)
                .isEqualTo(
                        new Outcome.Failed(
                                world.holder("s1").lease(), "ENOSPC", world.order("s1")));

        assertThat(world.when(new Command.TeardownDone(attachment("s1"), world.order("s1"))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Event.Released.class,
                        e -> assertThat(e.cause()).isEqualTo(ReleaseCause.WIRING_FAILED));
    }

    @Test
    void thatCannotBeRepairedRefusesTheRepeatedAddAndTakesNothingDown() {
        world.running("s1", "p");
        Holder before = world.holder("s1");
        world.when(add("s1", "p"));

        List<Event> facts =
                world.when(new Command.WiringBroke(attachment("s1"), world.order("s1"), "EPERM"));

        assertThat(facts).singleElement().isInstanceOf(Event.AddRefused.class);
        assertThat(world.outcome).isEqualTo(new Outcome.Refused(Refusal.NOT_REPAIRED, "EPERM"));
        assertThat(world.holder("s1")).isEqualTo(before);
    }

    @Test
    void completedAfterItsDelIsLate() {
        world.when(add("s1", "p"));
        long order = world.order("s1");
        world.when(del("s1", "p"));

        assertThat(world.when(new Command.WiringDone(attachment("s1"), order))).isEmpty();
        assertThat(world.when(new Command.WiringBroke(attachment("s1"), order, "x"))).isEmpty();
        assertThat(world.when(new Command.TeardownDone(attachment("s1"), order))).isEmpty();
        assertThat(world.outcome).isInstanceOf(Outcome.Nothing.class);
        assertThat(world.holder("s1").state()).isEqualTo(LeaseState.RELEASING);
    }

    @Test
    void completedForAnEarlierLifeOfTheAttachmentIsLate() {
        world.running("s1", "p");
        world.when(del("s1", "p"));
        long order = world.order("s1");
        world.when(new Command.TeardownDone(attachment("s1"), order));
        world.running("s1", "p");

        assertThat(world.when(new Command.TeardownDone(attachment("s1"), order))).isEmpty();
        assertThat(world.holder("s1").state()).isEqualTo(LeaseState.WIRED);
    }

    @Test
    void ordersAreNotGivenTwiceAcrossARestart() {
        world.when(add("s1", "p"));
        world.ledger = Ledger.restore(world.ledger.snapshot());

        world.when(add("s2", "q"));

        assertThat(world.order("s2")).isGreaterThan(world.order("s1"));
    }

    @Test
    void anAbandonedAddIsTakenDownBeforeItIsReleased() {
        world.when(add("s1", "p"));
        long added = world.order("s1");

        List<Event> facts = world.when(new Command.Abandon(attachment("s1"), "no device"));

        assertThat(facts).containsExactly(new Event.AddAbandoned(attachment("s1"), "no device"));
        assertThat(world.holder("s1").state()).isEqualTo(LeaseState.RELEASING);
        long order = world.order("s1");
        assertThat(order).isGreaterThan(added);
        assertThat(world.when(new Command.WiringDone(attachment("s1"), added))).isEmpty();
        assertThat(world.when(new Command.TeardownDone(attachment("s1"), order)))
                .containsExactly(
                        new Event.Released(
                                attachment("s1"),
                                ReleaseCause.ABANDONED,
                                "nothing of it is left in the kernel",
                                world.now + World.COOLDOWN_MILLIS));
    }

    @Test
    void whatIsWiredIsNotAbandoned() {
        world.running("s1", "p");

        assertThat(world.when(new Command.Abandon(attachment("s1"), "mistaken"))).isEmpty();
        assertThat(world.holder("s1").state()).isEqualTo(LeaseState.WIRED);
    }

    @Test
    void aRebootReleasesNothingByItself() {
        world.running("s1", "p");
        List<IpAddress> addresses = world.addresses("s1");

        world.start("boot-2", "10.0.0.0/30");

        assertThat(world.addresses("s1")).isEqualTo(addresses);
        assertThat(world.holder("s1").state()).isEqualTo(LeaseState.WIRED);
    }
}
