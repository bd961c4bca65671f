package io.podledger.projections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SandboxTest {
    private final World world = World.of("10.0.0.0/28");

    private static Sandbox sandbox(String id, long attempt, SandboxState state) {
        return new Sandbox(id, new Pod("default", "web-0", "uid-1"), attempt, state, 7);
    }

    private List<Event> list(long list, Sandbox... sandboxes) {
        return world.when(new Command.SandboxesListed(list, List.of(sandboxes)));
    }

    private static Event observed(Sandbox sandbox, SandboxSource source, long list) {
        return new Event.SandboxObserved(sandbox, source, list);
    }

    @Test
    void onlyWhatChangedIsWrittenDown() {
        Sandbox first = sandbox("s1", 0, SandboxState.READY);
        Sandbox stopped = sandbox("s1", 0, SandboxState.NOT_READY);

        assertThat(list(1, first)).containsExactly(observed(first, SandboxSource.LIST, 1));
        assertThat(list(2, first)).isEmpty();
        assertThat(list(3, stopped)).containsExactly(observed(stopped, SandboxSource.LIST, 3));
        assertThat(world.ledger.sandbox("s1")).contains(stopped);
        assertThat(world.durable).isFalse();
    }

    @Test
    void whatIsListedNoMoreHasVanished() {
        list(1, sandbox("s1", 0, SandboxState.READY), sandbox("s2", 1, SandboxState.READY));

        assertThat(list(2, sandbox("s2", 1, SandboxState.READY)))
                .containsExactly(new Event.SandboxVanished("s1", SandboxSource.LIST, 2));
        assertThat(world.ledger.sandbox("s1")).isEmpty();
        assertThat(list(3)).hasSize(1);
        assertThat(world.ledger.sandboxes()).isEmpty();
    }

    @Test
    void aSandboxThatVanishesReleasesNothing() {
        world.running("s1", "web-0");
        list(1, sandbox("s1", 0, SandboxState.READY));

        list(2);

        assertThat(world.ledger.lease(World.attachment("s1"))).isPresent();
    }

    @Test
    void theAnswerForOneSandboxIsAFactLikeThatOfAList() {
        Sandbox first = sandbox("s1", 0, SandboxState.READY);

        assertThat(world.when(new Command.SandboxShown("s1", Optional.of(first), 4)))
                .containsExactly(observed(first, SandboxSource.STATUS, 4));
        assertThat(world.when(new Command.SandboxShown("s1", Optional.of(first), 4))).isEmpty();
        assertThat(world.when(new Command.SandboxShown("s1", Optional.empty(), 4)))
                .containsExactly(new Event.SandboxVanished("s1", SandboxSource.STATUS, 4));
        assertThat(world.when(new Command.SandboxShown("s1", Optional.empty(), 4))).isEmpty();
    }

    @Test
    void ofAnIdThatIsListedTwiceTheFirstCounts() {
        Sandbox first = sandbox("s1", 0, SandboxState.READY);

        assertThat(list(1, first, sandbox("s1", 1, SandboxState.NOT_READY)))
                .containsExactly(observed(first, SandboxSource.LIST, 1));
    }

    @Test
    void moreSandboxesThanAnyNodeRunsAreLeftUnknown() {
        int max = Ledger.SANDBOXES_MAX;
        Sandbox[] many =
                IntStream.range(0, max + 5)
                        .mapToObj(i -> sandbox("s" + i, 0, SandboxState.READY))
                        .toArray(Sandbox[]::new);
        Decision decision =
                world.decider.decide(
                        world.ledger, new Command.SandboxesListed(1, List.of(many)), world.now);
        decision.events().forEach(event -> world.ledger.apply(world.now, event));

        assertThat(world.ledger.sandboxes()).hasSize(max);
        assertThat(Invariants.violations(world.ledger, world.now)).isEmpty();
        Command next =
                new Command.SandboxesListed(2, List.of(sandbox("new", 0, SandboxState.READY)));
        assertThat(world.decider.decide(world.ledger, next, world.now).events())
                .as("what vanishes makes room")
                .hasSize(max + 1);
    }
}
