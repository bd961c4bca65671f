package io.podledger.projections;

import static io.podledger.projections.World.attachment;
import static io.podledger.projections.World.del;
import static io.podledger.projections.World.sharing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What a pod's sandboxes share has one owner, and goes only with it.
class SharedThingTest {
    private static final String DEVICE = "shr-p";
    private final World world = World.of("10.0.0.0/28", "fd00::/64");

    private List<Holding> run(String containerId, String pod) {
        world.when(sharing(containerId, pod));
        Outcome.Wire wire = (Outcome.Wire) world.outcome;
        world.when(new Command.WiringDone(attachment(containerId), wire.order()));
        assertThat(world.outcome).isInstanceOf(Outcome.Granted.class);
        return wire.lease().holdings();
    }

    private List<Event> tornDown(String containerId) {
        long order = world.holder(containerId).order();
        return world.when(new Command.TeardownDone(attachment(containerId), order));
    }

    @Test
    void theNewerSandboxTakesItOverWithTheAddresses() {
        List<Holding> addresses = run("s1", "p");

        List<Event> facts = world.when(sharing("s2", "p"));

        assertThat(facts)
                .last()
                .isEqualTo(new Event.OwnerChanged(DEVICE, attachment("s2"), attachment("s1")));
        assertThat(world.durable).isTrue();
        assertThat(((Outcome.Wire) world.outcome).lease())
                .isEqualTo(world.holder("s2").lease())
                .returns(addresses, Lease::holdings)
                .returns(new SharedThing(DEVICE, true), Lease::shared);
        assertThat(world.holder("s1").lease().holdings()).isEmpty();
        assertThat(world.ledger.owner(addresses.getFirst().address())).contains(attachment("s2"));
        assertThat(world.ledger.counts(false, world.now).held()).isEqualTo(1);
    }

    @Test
    void aStaleDelTakesDownTheOldSandboxsOwnAndNamesWhatItLeaves() {
        run("s1", "p");
        List<Holding> addresses = run("s2", "p");

        List<Event> facts = world.when(del("s1", "p"));

        assertThat(facts)
                .containsExactly(
                        new Event.DelReceived(
                                attachment("s1"),
                                World.pod("p"),
                                DelVerdict.STALE,
                                Optional.of(attachment("s2")),
                                false,
                                0,
                                DEVICE));
        assertThat(((Outcome.Unwire) world.outcome).lease())
                .returns(List.of(), Lease::holdings)
                .returns(new SharedThing(DEVICE, false), Lease::shared);
        tornDown("s1");
        assertThat(world.ledger.resting()).isEmpty();
        assertThat(world.holder("s2").state()).isEqualTo(LeaseState.WIRED);
        assertThat(world.holder("s2").lease().holdings()).isEqualTo(addresses);

        world.when(del("s1", "p"));

        assertThat(world.outcome).isEqualTo(new Outcome.Deleted(DelVerdict.STALE));
    }

    @Test
    void theOwnersDelTakesItDown() {
        run("s1", "p");
        List<Holding> addresses = run("s2", "p");
        world.when(del("s1", "p"));
        tornDown("s1");

        world.when(del("s2", "p"));
        assertThat(((Outcome.Unwire) world.outcome).lease())
                .returns(addresses, Lease::holdings)
                .returns(new SharedThing(DEVICE, true), Lease::shared);
        tornDown("s2");

        assertThat(world.ledger.owner(DEVICE)).isEmpty();
        assertThat(world.ledger.resting())
                .extracting(Resting::address)
                .containsExactlyElementsOf(addresses.stream().map(Holding::address).toList());
    }

    @Test
    void itsAddressesCoolLikeOthersAndTheNextSandboxGetsNewOnes() {
        List<Holding> before = run("s1", "p");
        world.when(del("s1", "p"));
        tornDown("s1");

        assertThat(run("s2", "p")).doesNotContainAnyElementsOf(before);
    }

    @Test
    void whileItIsTakenDownNobodyTakesItOver() {
        run("s1", "p");
        world.when(del("s1", "p"));

        world.when(sharing("s2", "p"));

        assertThat(world.outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> {
                            assertThat(refused.reason()).isEqualTo(Refusal.RELEASING);
                            assertThat(refused.message()).contains(DEVICE, "s1");
                        });
        assertThat(world.ledger.attachments()).isEqualTo(1);
    }

    @Test
    void anAddOfTheFormerOwnerGetsNothing() {
        run("s1", "p");
        run("s2", "p");

        world.when(sharing("s1", "p"));

        assertThat(world.outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refusal.NOT_OWNER));
        assertThat(world.holder("s2").lease().shared().owned()).isTrue();
    }

    @Test
    void anAddUnderWayWhenTheNewerSandboxComesGetsNothing() {
        world.when(sharing("s1", "p"));
        Outcome.Wire wire = (Outcome.Wire) world.outcome;
        run("s2", "p");

        world.when(new Command.WiringDone(attachment("s1"), wire.order()));

        assertThat(world.outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refusal.NOT_OWNER));
    }

    @Test
    void thePodIsNamespaceAndNameSoAnotherPodsThingIsAnothers() {
        List<Holding> p = run("s1", "p");
        List<Holding> q = run("s2", "q");

        assertThat(q).doesNotContainAnyElementsOf(p);
        world.when(del("s1", "p"));
        tornDown("s1");
        assertThat(world.holder("s2").lease().holdings()).isEqualTo(q);
    }

    @Test
    void aSnapshotKeepsWhoOwnsIt() {
        run("s1", "p");
        List<Holding> addresses = run("s2", "p");

        world.ledger = Ledger.restore(world.ledger.snapshot());

        assertThat(Invariants.violations(world.ledger, world.now)).isEmpty();
        assertThat(world.ledger.owner(DEVICE).orElseThrow().lease().attachment())
                .isEqualTo(attachment("s2"));
        assertThat(run("s3", "p")).isEqualTo(addresses);
    }

    /// A power cut between the two facts of a takeover: the sandbox has no more than a share.
    @Test
    void aTakeoverThatWasCutInHalfLeavesItWithItsOwner() {
        List<Holding> addresses = run("s1", "p");
        Decision half = world.decider.decide(world.ledger, sharing("s2", "p"), world.now);
        world.given(half.events().getFirst());

        assertThat(world.ledger.owner(addresses.getFirst().address())).contains(attachment("s1"));
        world.when(del("s2", "p"));
        tornDown("s2");
        assertThat(world.holder("s1").lease().holdings()).isEqualTo(addresses);
        assertThat(run("s3", "p")).isEqualTo(addresses);
    }

    @Test
    void itIsNotHandedOnByWhoDoesNotOwnIt() {
        run("s1", "p");
        run("s2", "p");
        world.when(sharing("s3", "p"));
        Ledger ledger = world.ledger;
        Event twice = new Event.OwnerChanged(DEVICE, attachment("s1"), attachment("s2"));

        assertThatThrownBy(() -> ledger.apply(world.now, twice))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it was not the former owner's");
    }
}
