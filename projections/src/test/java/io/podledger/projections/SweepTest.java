package io.podledger.projections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A DEL that never came. The pod's container is `s1`, the lists are numbered.
class SweepTest {
    private static final long GRACE = Sweep.DEFAULTS.graceMillis();
    private static final long FLOOR = Sweep.DEFAULTS.floorMillis();

    private final World world = World.of("10.0.0.0/28");
    private long list;

    /// A list that has the living pod's sandbox, and these.
    private List<Event> list(String... ids) {
        List<String> all = new ArrayList<>(List.of("alive"));
        all.addAll(List.of(ids));
        return listOnly(all).stream()
                .filter(event -> !(event instanceof Event.SandboxObserved))
                .filter(event -> !(event instanceof Event.SandboxVanished))
                .toList();
    }

    private List<Event> listOnly(List<String> ids) {
        list++;
        return world.when(
                new Command.SandboxesListed(list, ids.stream().map(SweepTest::sandbox).toList()));
    }

    @BeforeEach
    void aPodLives() {
        world.running("alive", "p0");
    }

    @Test
    void aRuntimeThatHasNothingOfOursIsNotBelieved() {
        world.running("s1", "p1");
        for (int i = 0; i < 3; i++) {
            world.now += FLOOR;
            assertThat(listOnly(List.of())).noneMatch(Event.AttachmentMissed.class::isInstance);
            assertThat(listOnly(List.of("of-another")))
                    .noneMatch(Event.AttachmentMissed.class::isInstance);
            assertThat(due()).isEmpty();
        }
        assertThat(missed()).isEmpty();
    }

    private static Sandbox sandbox(String id) {
        return new Sandbox(id, new Pod("default", "p1", ""), 0, SandboxState.READY, 1);
    }

    private List<Attachment> due() {
        return world.outcome instanceof Outcome.Recheck(var missed) ? missed : List.of();
    }

    private List<Event> sweep() {
        return world.when(new Command.Sweep(World.attachment("s1"), list));
    }

    private Optional<Missed> missed() {
        return world.ledger.holder(World.attachment("s1")).orElseThrow().missed();
    }

    @Test
    void twoListsAGraceApartAndTheFloorBehindItMakeItDue() {
        world.running("s1", "p1");
        world.now += FLOOR;
        assertThat(list()).containsExactly(new Event.AttachmentMissed(World.attachment("s1"), 1));
        assertThat(due()).isEmpty();

        world.now += GRACE - 1;
        assertThat(list()).isEmpty();
        assertThat(due()).isEmpty();
        assertThat(sweep()).isEmpty();

        world.now += 1;
        list();
        assertThat(due()).containsExactly(World.attachment("s1"));
        assertThat(sweep())
                .singleElement()
                .isInstanceOfSatisfying(
                        Event.AttachmentSwept.class,
                        swept ->
                                assertThat(swept.evidence())
                                        .contains("lists 1 to 3", "60 s apart", "360 s ago"));
        assertThat(world.outcome).isInstanceOf(Outcome.Unwire.class);
        assertThat(world.durable).isTrue();
        assertThat(world.ledger.holder(World.attachment("s1")).orElseThrow().state())
                .isEqualTo(LeaseState.RELEASING);
    }

    @Test
    void nothingIsDueBeforeTheFloor() {
        world.running("s1", "p1");
        list();
        world.now += FLOOR - 1;
        list();
        assertThat(due()).isEmpty();
        assertThat(sweep()).isEmpty();

        world.now += 1;
        list();
        assertThat(due()).isNotEmpty();
        assertThat(sweep()).isNotEmpty();
    }

    @Test
    void whateverIsHeardOfItMeanwhileStartsAnew() {
        world.running("s1", "p1");
        world.now += FLOOR;
        list();
        world.now += GRACE;
        assertThat(list("s1")).anyMatch(Event.AttachmentFound.class::isInstance);
        assertThat(missed()).isEmpty();

        list();
        assertThat(missed()).isPresent();
        world.when(new Command.SandboxShown("s1", Optional.of(sandbox("s1")), list));
        assertThat(missed()).isEmpty();

        list();
        world.when(World.add("s1", "p1"));
        assertThat(missed()).isEmpty();
        world.now += GRACE;
        list();
        world.now += GRACE;
        list();
        assertThat(due()).as("the floor counts from the newest ADD").isEmpty();
    }

    @Test
    void whatNoRuntimeManagesIsNeverMissed() {
        world.when(World.ipam("s1"));
        world.now += 2 * FLOOR;
        assertThat(list()).isEmpty();
        assertThat(due()).isEmpty();
    }

    @Test
    void aStoppedSandboxKeepsItsAddress() {
        world.running("s1", "p1");
        world.now += FLOOR;
        list++;
        world.when(
                new Command.SandboxesListed(
                        list,
                        List.of(
                                sandbox("alive"),
                                new Sandbox(
                                        "s1",
                                        new Pod("default", "p1", ""),
                                        0,
                                        SandboxState.NOT_READY,
                                        1))));
        assertThat(missed()).isEmpty();
    }

    @Test
    void theReleaseSaysWhy() {
        world.running("s1", "p1");
        world.now += FLOOR;
        list();
        world.now += GRACE;
        list();
        sweep();
        Outcome.Unwire order = (Outcome.Unwire) world.outcome;

        assertThat(world.when(new Command.TeardownDone(World.attachment("s1"), order.order())))
                .singleElement()
                .isInstanceOfSatisfying(
                        Event.Released.class,
                        released -> assertThat(released.cause()).isEqualTo(ReleaseCause.SWEPT));
    }

    @Test
    void anAttachmentOfAnotherPluginIsReleasedAtOnce() {
        Command.Add ipam = World.ipam("s1");
        world.when(
                new Command.Add(
                        ipam.attachment(),
                        World.pod("p1"),
                        true,
                        Mode.IPAM,
                        NamespaceIdentity.NONE,
                        "",
                        "",
                        0));
        world.now += FLOOR;
        list();
        world.now += GRACE;
        list();

        assertThat(sweep()).hasSize(2).last().isInstanceOf(Event.Released.class);
        assertThat(world.ledger.attachments()).isEqualTo(1);
    }

    @Test
    void aDelEndsTheDoubt() {
        world.running("s1", "p1");
        world.now += FLOOR;
        list();
        world.gone("s1", "p1");
        world.now += GRACE;
        list();
        assertThat(due()).isEmpty();
        assertThat(sweep()).isEmpty();
    }
}
