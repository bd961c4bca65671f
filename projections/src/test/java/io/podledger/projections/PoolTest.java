package io.podledger.projections;

import static io.podledger.projections.World.add;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PoolTest {
    @Test
    void givesWhatWasNeverUsedFirstAndThenWhatIsFreeLongest() {
        World world = World.of("10.0.0.0/30");
        world.fill(3);
        world.gone("fill2", "filler2");
        world.now += 1;
        world.gone("fill0", "filler0");
        world.now += World.COOLDOWN_MILLIS;
        world.when(new Command.Hash());

        world.running("s1", "p1");
        world.running("s2", "p2");
        world.running("s3", "p3");

        assertThat(world.texts("s1")).containsExactly("10.0.0.3");
        assertThat(world.texts("s2")).containsExactly("10.0.0.2");
        assertThat(world.texts("s3")).containsExactly("10.0.0.0");
    }

    @Test
    void givesTheRangesInTheOrderInWhichTheyWereAdded() {
        World world = World.of("10.0.9.0/31", "10.0.0.0/31");
        world.start(World.BOOT, "10.0.5.0/32", "10.0.0.0/31", "10.0.9.0/31");

        world.fill(5);

        assertThat(world.ledger.holders())
                .extracting(holder -> holder.lease().holdings().getFirst().address().toString())
                .containsExactly("10.0.9.0", "10.0.9.1", "10.0.0.0", "10.0.0.1", "10.0.5.0");
    }

    @Test
    void aSmallerCooldownDoesNotWaitBehindALargerOne() {
        World world = World.of("10.0.0.0/31");
        world.fill(2);
        world.gone("fill0", "filler0");
        Decider hasty = new Decider(1_000);
        world.when(World.del("fill1", "filler1"));
        Command done = new Command.TeardownDone(World.attachment("fill1"), world.order("fill1"));
        hasty.decide(world.ledger, done, world.now).events().forEach(world::given);
        world.now += 1_000;

        world.when(add("s1", "p"));

        assertThat(world.texts("s1")).containsExactly("10.0.0.1");
    }

    @Test
    void aRemovedRangeGivesNothingMoreAndKeepsWhatIsHeld() {
        World world = World.of("10.0.0.0/31", "10.0.1.0/31");
        world.fill(1);

        List<Event> facts = world.start(World.BOOT, "10.0.1.0/31");

        assertThat(facts)
                .contains(new Event.RangeRemoved(IpAddress.parse("10.0.0.0"), 31))
                .hasSize(2);
        assertThat(world.texts("fill0")).containsExactly("10.0.0.0");
        assertThat(world.ledger.counts(world.now).total()).isEqualTo(3);
        world.gone("fill0", "filler0");
        assertThat(world.ledger.counts(world.now).cooling()).isEqualTo(1);
        world.now += World.COOLDOWN_MILLIS;
        assertThat(world.ledger.counts(world.now).total()).isEqualTo(2);
        world.running("s1", "p1");
        world.running("s2", "p2");
        world.when(add("s3", "p3"));
        assertThat(world.outcome).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void aRangeAddedAgainGivesNoAddressTwiceAndNoneThatCools() {
        World world = World.of("10.0.0.0/30");
        world.fill(2);
        world.gone("fill1", "filler1");
        world.start(World.BOOT);
        world.start(World.BOOT, "10.0.0.0/30");

        world.running("s1", "p1");
        world.running("s2", "p2");
        world.when(add("s3", "p3"));

        assertThat(world.texts("s1")).containsExactly("10.0.0.2");
        assertThat(world.texts("s2")).containsExactly("10.0.0.3");
        assertThat(world.outcome).isInstanceOf(Outcome.Refused.class);
        world.now += World.COOLDOWN_MILLIS;
        world.when(add("s3", "p3"));
        assertThat(world.texts("s3")).containsExactly("10.0.0.1");
    }

    @Test
    void aRangeCanGrowAroundWhatIsHeld() {
        World world = World.of("10.0.0.0/31");
        world.fill(2);

        world.start(World.BOOT, "10.0.0.0/30");
        world.running("s1", "p1");

        assertThat(world.texts("s1")).containsExactly("10.0.0.2");
        assertThat(world.texts("fill1")).containsExactly("10.0.0.1");
        assertThat(world.ledger.counts(world.now).total()).isEqualTo(4);
    }

    @Test
    void anotherUplinkIsForThoseWhoComeAfterIt() {
        World world = World.of("10.0.0.0/30");
        world.fill(1);

        List<Event> facts = world.start(World.BOOT, "10.0.0.0/30@eth1");
        world.running("s1", "p1");

        assertThat(facts).hasSize(3);
        assertThat(world.holder("fill0").lease().holdings().getFirst().uplink()).isEmpty();
        assertThat(world.holder("s1").lease().holdings())
                .containsExactly(new Holding(IpAddress.parse("10.0.0.1"), "eth1", 101));
    }

    @Test
    void rangesThatOverlapAreRefusedByName() {
        World world = World.of("10.0.0.0/30");

        List<Event> facts = world.start(World.BOOT, "10.0.0.0/30", "10.0.0.2/31");

        assertThat(facts).isEmpty();
        assertThat(world.outcome)
                .isEqualTo(
                        new Outcome.Refused(
                                Refusal.POOL_INVALID,
                                "ranges 10.0.0.0/30 and 10.0.0.2/31 overlap: keep one of them"));
        assertThat(world.ledger.ranges()).hasSize(1);
    }

    @Test
    void theSameRangesAgainAreNoFact() {
        World world = World.of("10.0.0.0/30", "fd00::/64");

        assertThat(world.start(World.BOOT, "fd00::/64", "10.0.0.0/30"))
                .singleElement()
                .isInstanceOf(Event.DaemonStarted.class);
    }

    @Test
    void aWholeSixtyFourIsNotEnumerated() {
        World world = World.of("fd00::/64");

        world.fill(1);

        assertThat(world.texts("fill0")).containsExactly("fd00::");
        assertThat(world.ledger.counts(world.now).total()).isEqualTo(Range.ADDRESSES_MAX);
    }
}
