package io.podledger.projections;

import static io.podledger.projections.World.add;
import static io.podledger.projections.World.spooled;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SpooledDelTest {
    private final World world = World.of("10.0.0.0/30");

    @Test
    void takesDownWhatWasAddedBeforeItWasWritten() {
        world.running("s1", "p");
        world.now += 10;

        List<Event> facts = world.when(spooled("s1", "p", World.BOOT, bootMillis()));

        assertThat(((Event.DelReceived) facts.getFirst()).spooled()).isTrue();
        assertThat(world.outcome).isInstanceOf(Outcome.Unwire.class);
    }

    @Test
    void sparesWhatWasAddedAfterItWasWritten() {
        long written = bootMillis();
        world.now += 1;
        world.running("s1", "p");
        world.now += 1;

        assertThat(world.when(spooled("s1", "p", World.BOOT, written))).isEmpty();
        assertThat(world.outcome).isInstanceOf(Outcome.Nothing.class);
        assertThat(world.holder("s1").state()).isEqualTo(LeaseState.WIRED);
    }

    @Test
    void sparesANamespaceThatCameAfterItWasWritten() {
        world.running("s1", "p");
        world.now += 1;
        long written = bootMillis();
        world.now += 1;
        world.when(add("s1", "p", 101));

        assertThat(world.when(spooled("s1", "p", World.BOOT, written))).isEmpty();
    }

    @Test
    void isComparedInLedgerTimeAfterARestartToo() {
        world.running("s1", "p");
        world.now += 10;
        long written = bootMillis();
        world.now += 10;
        world.start(World.BOOT, "10.0.0.0/30");

        world.when(spooled("s1", "p", World.BOOT, written));

        assertThat(world.outcome).isInstanceOf(Outcome.Unwire.class);
    }

    @Test
    void ofTheBootBeforeTakesDownWhatThatBootAdded() {
        world.running("s1", "p");
        world.now += 10;
        reboot();

        world.when(spooled("s1", "p", World.BOOT, 999_999_999));

        assertThat(world.outcome).isInstanceOf(Outcome.Unwire.class);
    }

    /// Ledger time stands still between the last fact of a boot and the first start in the next.
    @Test
    void writtenBeforeTheFirstStartOfABootTakesDownWhatTheBootBeforeAdded() {
        world.running("s1", "p");
        world.now += 1;
        world.given(new Event.DaemonStarted("0.1", "boot-2", 30_000, "machine", "digest"));

        world.when(spooled("s1", "p", "boot-2", 20_000));

        assertThat(world.outcome).isInstanceOf(Outcome.Unwire.class);
    }

    @Test
    void ofAnUnknownBootSparesWhatThisBootAdded() {
        reboot();
        world.running("s1", "p");
        world.now += 10;

        assertThat(world.when(spooled("s1", "p", "boot-0", 999_999_999))).isEmpty();
        assertThat(world.outcome).isInstanceOf(Outcome.Nothing.class);
    }

    @Test
    void withoutAnAddFencesFromWhenItWasWritten() {
        long written = bootMillis();
        world.now += Decider.FENCE_MILLIS - 1;

        world.when(spooled("s9", "p", World.BOOT, written));
        world.when(add("s9", "p"));
        assertThat(world.outcome).isInstanceOf(Outcome.Refused.class);

        world.now += 1;
        world.when(add("s9", "p"));
        assertThat(world.outcome).isInstanceOf(Outcome.Wire.class);
    }

    @Test
    void ofAnotherBootFencesNothing() {
        List<Event> facts = world.when(spooled("s9", "p", "boot-0", 5));

        assertThat(facts).hasSize(1);
        assertThat(world.outcome).isEqualTo(new Outcome.Deleted(DelVerdict.UNKNOWN));
        world.when(add("s9", "p"));
        assertThat(world.outcome).isInstanceOf(Outcome.Wire.class);
    }

    private long bootMillis() {
        return world.now - World.OFFSET_MILLIS;
    }

    private void reboot() {
        world.given(new Event.DaemonStarted("0.1", "boot-2", 7, "machine", "digest"));
    }
}
