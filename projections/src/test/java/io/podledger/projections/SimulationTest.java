package io.podledger.projections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Seeds are the bug reports: one that fails becomes a test of its own, with its name.
class SimulationTest {
    private static final int STEPS = 250;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 40);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void whatWasPromisedIsKeptAndEveryPrefixInAnyBatchesHasItsHash(long seed) {
        List<Simulation.Logged> log = run(seed).log;
        Random random = new Random(seed);
        Ledger ledger = new Ledger();
        int next = 0;
        while (next < log.size()) {
            ledger = Ledger.restore(ledger.snapshot());
            int end = Math.min(log.size(), next + 1 + random.nextInt(9));
            for (; next < end; next++) {
                Simulation.Logged fact = log.get(next);
                ledger.apply(fact.millis(), EventCodec.decode(fact.type(), fact.bytes()));
                assertThat(ledger.hash()).as("seed %d, fact %d", seed, next).isEqualTo(fact.hash());
            }
        }
    }

    @Test
    void aSnapshotAtEveryFactLeadsToTheSameEnd() {
        List<Simulation.Logged> log = run(7).log;
        Ledger ledger = new Ledger();
        for (int i = 0; i < log.size(); i++) {
            Ledger restored = Ledger.restore(ledger.snapshot());
            for (Simulation.Logged fact : log.subList(i, log.size())) {
                restored.apply(fact.millis(), EventCodec.decode(fact.type(), fact.bytes()));
            }
            assertThat(restored.hash()).as("from fact %d", i).isEqualTo(log.getLast().hash());
            Simulation.Logged fact = log.get(i);
            ledger.apply(fact.millis(), EventCodec.decode(fact.type(), fact.bytes()));
        }
    }

    /// A simulation in which nothing happens proves nothing.
    @Test
    void theSimulationsDoMuch() {
        List<Simulation> runs =
                LongStream.rangeClosed(101, 110).mapToObj(SimulationTest::run).toList();

        assertThat(runs.stream().mapToInt(run -> run.grants).sum()).isGreaterThan(200);
        assertThat(runs.stream().mapToInt(run -> run.facts.stales).sum()).isGreaterThan(50);
        assertThat(runs.stream().mapToInt(run -> run.facts.suspicions).sum()).isGreaterThan(20);
        assertThat(runs.stream().mapToInt(run -> run.facts.sweeps).sum()).isGreaterThan(5);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void atRestOnlyTheLivingHoldAddresses(long seed) {
        assertThat(run(seed).leaksAtRest()).isEmpty();
    }

    private static Simulation run(long seed) {
        int step = 0;
        try {
            Simulation simulation = new Simulation(seed);
            for (; step < STEPS; step++) {
                simulation.step();
            }
            return simulation;
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ", step " + step + ": " + e.getMessage(), e);
        }
    }
}
