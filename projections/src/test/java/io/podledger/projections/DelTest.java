package io.podledger.projections;

import static io.podledger.projections.World.add;
import static io.podledger.projections.World.attachment;
import static io.podledger.projections.World.del;
import static io.podledger.projections.World.device;
import static io.podledger.projections.World.ipam;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DelTest {
    @Test
    void isDurableThenTakenDownThenReleasedThenCools() {
        World world = World.of("10.0.0.0/30");
        List<IpAddress> addresses = world.running("s1", "p");

        assertThat(verdict(world.when(del("s1", "p")))).isEqualTo(DelVerdict.RELEASING);
        assertThat(world.durable).isTrue();
        assertThat(world.holder("s1").state()).isEqualTo(LeaseState.RELEASING);
        Outcome.Unwire unwire = (Outcome.Unwire) world.outcome;
        assertThat(world.ledger.owner(addresses.getFirst())).contains(attachment("s1"));

        world.when(new Command.TeardownDone(attachment("s1"), unwire.order()));

        assertThat(world.outcome).isEqualTo(new Outcome.Deleted(DelVerdict.RELEASING));
        assertThat(world.durable).isFalse();
        assertThat(world.ledger.resting())
                .singleElement()
                .returns(addresses.getFirst(), Resting::address)
                .returns(world.now + World.COOLDOWN_MILLIS, Resting::freeMillis);
        assertThat(world.ledger.counts(world.now).cooling()).isEqualTo(1);
    }

    @Test
    void releasesWhatAnotherPluginHeldAtOnce() {
        World world = World.of("10.0.0.0/30");
        world.when(ipam("c1"));

        List<Event> facts = world.when(ipamDel("c1"));

        assertThat(facts).hasSize(2);
        assertThat(facts.get(1)).isInstanceOf(Event.Released.class);
        assertThat(world.durable).isTrue();
        assertThat(world.outcome).isEqualTo(new Outcome.Deleted(DelVerdict.RELEASING));
        assertThat(world.ledger.attachments()).isZero();
    }

    @Test
    void releasesWhatAnotherPluginHeldThoughTheReleaseWasLostWithTheProcess() {
        World world = World.of("10.0.0.0/30");
        world.when(ipam("c1"));
        Decision decision = world.decider.decide(world.ledger, ipamDel("c1"), world.now);
        world.given(decision.events().getFirst());

        world.when(ipamDel("c1"));

        assertThat(world.outcome).isInstanceOf(Outcome.Deleted.class);
        assertThat(world.ledger.attachments()).isZero();
    }

    @Test
    void asksForTheSameTeardownWhenRepeatedAndIsWrittenDownOnceAMinute() {
        World world = World.of("10.0.0.0/30");
        world.running("s1", "p");
        world.when(del("s1", "p"));
        Outcome first = world.outcome;

        assertThat(verdict(world.when(del("s1", "p")))).isEqualTo(DelVerdict.REPEATED);
        assertThat(world.outcome).isEqualTo(first);
        assertThat(world.durable).isTrue();
        assertThat(world.when(del("s1", "p"))).isEmpty();
        assertThat(world.outcome).isEqualTo(first);
        world.now += Decider.NOTE_MILLIS;
        assertThat(world.when(del("s1", "p"))).hasSize(1);
    }

    @Test
    void ofAReleasedAttachmentIsRepeatedAndFencesNothing() {
        World world = World.of("10.0.0.0/30");
        world.running("s1", "p");
        world.gone("s1", "p");

        assertThat(verdict(world.when(del("s1", "p")))).isEqualTo(DelVerdict.REPEATED);
        assertThat(world.outcome).isEqualTo(new Outcome.Deleted(DelVerdict.REPEATED));
        assertThat(world.when(del("s1", "p"))).isEmpty();
        world.when(add("s1", "p"));
        assertThat(world.outcome).isInstanceOf(Outcome.Wire.class);
    }

    @Test
    void withoutAnAddBeforeItRefusesTheLateAddForFiveMinutes() {
        World world = World.of("10.0.0.0/30");

        assertThat(verdict(world.when(del("s9", "p")))).isEqualTo(DelVerdict.UNKNOWN);
        assertThat(world.durable).isTrue();
        assertThat(world.outcome).isEqualTo(new Outcome.Deleted(DelVerdict.UNKNOWN));
        world.now += Decider.FENCE_MILLIS - 1;
        world.when(add("s9", "p"));
        assertThat(world.outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refusal.FENCED));
        assertThat(world.ledger.attachments()).isZero();
        world.now += 1;
        world.when(add("s9", "p"));
        assertThat(world.outcome).isInstanceOf(Outcome.Wire.class);
    }

    @Test
    void aFenceOutlivesARestartAndNotAReboot() {
        World world = World.of("10.0.0.0/30");
        world.when(del("s9", "p"));

        world.start(World.BOOT, "10.0.0.0/30");
        world.when(add("s9", "p"));
        assertThat(world.outcome).isInstanceOf(Outcome.Refused.class);

        world.start("boot-2", "10.0.0.0/30");
        world.when(add("s9", "p"));
        assertThat(world.outcome).isInstanceOf(Outcome.Wire.class);
    }

    @Test
    void aDelAfterARebootFencesAnewThoughTheSameWasWrittenDownAMomentAgo() {
        World world = World.of("10.0.0.0/30");
        world.when(del("s9", "p"));
        assertThat(world.when(del("s9", "p"))).isEmpty();
        world.start("boot-2", "10.0.0.0/30");

        assertThat(world.when(del("s9", "p"))).hasSize(1);
        world.when(add("s9", "p"));
        assertThat(world.outcome).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void theOldestFenceGoesWhenThereAreTooMany() {
        World world = World.of("10.0.0.0/30");
        for (int i = 0; i <= Ledger.FENCES_MAX; i++) {
            world.when(del("s" + i, "p" + i));
        }

        assertThat(world.ledger.fencedUntil(attachment("s0"), world.now)).isEmpty();
        assertThat(world.ledger.fencedUntil(attachment("s1"), world.now)).isPresent();
    }

    @Test
    void aReleasedAttachmentIsForgottenWhenManyOthersWereReleasedSince() {
        World world = World.of("10.0.0.0/28");
        Decider atOnce = new Decider(0);
        for (int i = 0; i <= Ledger.TOMBSTONES_MAX; i++) {
            for (Command command : List.of(ipam("c" + i), ipamDel("c" + i))) {
                for (Event event : atOnce.decide(world.ledger, command, world.now).events()) {
                    world.ledger.apply(world.now, event);
                }
            }
        }

        assertThat(world.ledger.released(attachment("c0"))).isFalse();
        assertThat(world.ledger.released(attachment("c1"))).isTrue();
        assertThat(Invariants.violations(world.ledger, world.now)).isEmpty();
    }

    @Test
    void ofAnOlderSandboxTakesDownItsOwnAndNamesTheOwner() {
        World world = World.of("10.0.0.0/30");
        world.running("s1", "p");
        world.running("s2", "p");
        Holder newer = world.holder("s2");

        List<Event> facts = world.when(del("s1", "p"));

        assertThat(facts)
                .containsExactly(
                        new Event.DelReceived(
                                attachment("s1"),
                                World.pod("p"),
                                DelVerdict.STALE,
                                Optional.of(attachment("s2")),
                                false,
                                0));
        assertThat(((Outcome.Unwire) world.outcome).lease().attachment())
                .isEqualTo(attachment("s1"));
        world.when(new Command.TeardownDone(attachment("s1"), world.order("s1")));
        assertThat(world.holder("s2")).isEqualTo(newer);

        assertThat(verdict(world.when(del("s1", "p")))).isEqualTo(DelVerdict.STALE);
        assertThat(world.outcome).isEqualTo(new Outcome.Deleted(DelVerdict.STALE));
        assertThat(world.holder("s2")).isEqualTo(newer);
    }

    @Test
    void ofAnOlderSandboxIsStaleThoughItCarriesNoPod() {
        World world = World.of("10.0.0.0/30");
        world.running("s1", "p");
        world.running("s2", "p");

        List<Event> facts =
                world.when(
                        new Command.Del(
                                attachment("s1"),
                                Optional.empty(),
                                device("s1"),
                                Optional.empty()));

        assertThat(verdict(facts)).isEqualTo(DelVerdict.STALE);
    }

    @Test
    void ofTheNewerSandboxIsNotStaleThoughTheOlderStillStands() {
        World world = World.of("10.0.0.0/30");
        world.running("s1", "p");
        world.running("s2", "p");

        assertThat(verdict(world.when(del("s2", "p")))).isEqualTo(DelVerdict.RELEASING);
        assertThat(verdict(world.when(del("s2", "p")))).isEqualTo(DelVerdict.REPEATED);
        world.when(new Command.TeardownDone(attachment("s2"), world.order("s2")));
        world.now += Decider.NOTE_MILLIS;
        assertThat(verdict(world.when(del("s2", "p")))).isEqualTo(DelVerdict.REPEATED);
        assertThat(verdict(world.when(del("s1", "p")))).isEqualTo(DelVerdict.RELEASING);
    }

    @Test
    void anUnknownOlderSandboxIsStaleAndItsLateAddIsRefused() {
        World world = World.of("10.0.0.0/30");
        world.running("s2", "p");

        assertThat(verdict(world.when(del("s1", "p")))).isEqualTo(DelVerdict.STALE);
        assertThat(world.outcome).isEqualTo(new Outcome.Deleted(DelVerdict.STALE));
        world.when(add("s1", "p"));
        assertThat(world.outcome).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void ofOneInterfaceSaysNothingAboutTheOther() {
        World world = World.of("10.0.0.0/30");
        world.running("s1", "p");
        Attachment second = new Attachment("net", "s2", "net1");
        world.when(
                new Command.Add(
                        second,
                        World.pod("p"),
                        true,
                        Mode.ROUTED,
                        World.namespace(7),
                        "",
                        "enisecond",
                        0));

        assertThat(verdict(world.when(del("s1", "p")))).isEqualTo(DelVerdict.RELEASING);
        assertThat(world.ledger.lease(second)).isPresent();
    }

    private static Command.Del ipamDel(String containerId) {
        return new Command.Del(attachment(containerId), Optional.empty(), "", Optional.empty());
    }

    private static DelVerdict verdict(List<Event> facts) {
        return ((Event.DelReceived) facts.getFirst()).verdict();
    }
}
