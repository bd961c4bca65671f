package io.podledger.projections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotTest {
    @Test
    void anEmptyLedgerIsRestored() {
        Ledger ledger = new Ledger();

        assertThat(Ledger.restore(ledger.snapshot()).hash()).isEqualTo(ledger.hash());
    }

    @Test
    void whatIsRestoredIsWrittenAgainByteByByte() {
        World world = busy();

        List<byte[]> again = Ledger.restore(world.ledger.snapshot()).snapshot();

        assertThat(again).usingRecursiveComparison().isEqualTo(world.ledger.snapshot());
    }

    @Test
    void aLargeLedgerIsInChunksOfAtMostAMebibyte() {
        World world = World.of("10.0.0.0/16");
        for (int i = 0; i < 12_000; i++) {
            Command.Add add = World.add("" + i, "pod".repeat(40) + i);
            world.decider
                    .decide(world.ledger, add, world.now)
                    .events()
                    .forEach(event -> world.ledger.apply(world.now, event));
        }

        List<byte[]> chunks = world.ledger.snapshot();

        assertThat(chunks).hasSizeGreaterThan(1);
        assertThat(chunks).allMatch(chunk -> chunk.length <= 1 << 20);
        Ledger restored = Ledger.restore(chunks);
        assertThat(restored.hash()).isEqualTo(world.ledger.hash());
        assertThat(Invariants.violations(restored, world.now)).isEmpty();
    }

    @Test
    void aSnapshotWithoutItsEndOrItsBeginningIsRefused() {
        List<byte[]> chunks = busy().ledger.snapshot();
        byte[] whole = chunks.getFirst();

        assertDamaged(List.of());
        assertDamaged(List.of(new byte[0]));
        assertDamaged(List.of(Arrays.copyOfRange(whole, 1, whole.length)));
        for (int length = 0; length < whole.length; length += 7) {
            assertDamaged(List.of(Arrays.copyOf(whole, length)));
        }
        List<byte[]> twice = new ArrayList<>(chunks);
        twice.addAll(chunks);
        assertDamaged(twice);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aFlippedBitIsFoundOrMeansNothing(long seed) {
        Random random = new Random(seed);
        Ledger ledger = busy().ledger;
        byte[] whole = ledger.snapshot().getFirst();
        for (int round = 0; round < 2_000; round++) {
            byte[] bytes = whole.clone();
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            try {
                // The head's own times are not entries: the journal's checksum guards them.
                Ledger restored = Ledger.restore(List.of(bytes));
                assertThat(restored.hash()).isEqualTo(ledger.hash());
            } catch (IllegalArgumentException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }

    private static World busy() {
        World world = World.of("10.0.0.0/28", "fd00::/64@eth1");
        world.fill(5);
        world.gone("fill1", "filler1");
        world.when(World.del("fill2", "filler2"));
        world.when(World.add("s1", "p1"));
        world.when(World.del("s9", "p9"));
        List<IpAddress> lost = List.of(IpAddress.parse("10.0.0.9"), IpAddress.parse("fd00::9"));
        world.when(new Command.Compare(List.of(new Command.Marked("enilost", "mark", lost))));
        return world;
    }

    private static void assertDamaged(List<byte[]> chunks) {
        assertThatThrownBy(() -> Ledger.restore(chunks))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("snapshot");
    }
}
