package io.podledger.journal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    static final JournalOptions SMALL = new JournalOptions(1 << 20);

    @TempDir Path folder;

    @Test
    void whatWasAppendedIsThereAfterReopening() {
        var before = new Tally();
        String id;
        try (var journal = Journal.open(folder, SMALL, before)) {
            id = journal.id();
            for (int i = 0; i < 100; i++) {
                before.append(journal, ("record " + i).getBytes(UTF_8));
            }
            journal.sync();
        }
        var after = new Tally();
        try (var journal = Journal.open(folder, SMALL, after)) {
            assertThat(after).hasToString(before.toString());
            assertThat(after.applied).hasSize(100);
            assertThat(journal.id()).isEqualTo(id);
            assertThat(journal.ledgerMillis()).isEqualTo(100);
        }
    }

    @Test
    void aRecordIsReadAsItWasWritten() {
        try (var journal = Journal.open(folder, SMALL, new Tally())) {
            journal.append(0x8123, 77, new byte[] {1, 2, 3});
            journal.append(7, 77, new byte[0]);
        }
        List<LogRecord> read = new ArrayList<>();
        read(folder, JournalReader.From.OLDEST, read);
        assertThat(read).extracting(LogRecord::type).containsExactly(0x8123, 7);
        assertThat(read).extracting(LogRecord::ledgerMillis).containsExactly(77L, 77L);
        assertThat(read.getFirst().payload()).containsExactly(1, 2, 3);
        assertThat(read.getLast().sequence()).isEqualTo(read.getFirst().sequence() + 1);
    }

    @Test
    void manySegmentsAreOneLogAndEachSnapshotLeadsToTheSameState() {
        var before = new Tally(30_000);
        var random = new Random(1);
        try (var journal = Journal.open(folder, SMALL, before)) {
            for (int i = 0; i < 40_000; i++) {
                var payload = new byte[random.nextInt(400)];
                random.nextBytes(payload);
                before.append(journal, payload);
            }
        }
        try (var reader = JournalReader.open(folder)) {
            Summary summary = reader.summary();
            assertThat(summary.damages()).isEmpty();
            assertThat(summary.segments()).hasSizeGreaterThan(8);
            var all = new Tally(30_000);
            reader.read(JournalReader.From.OLDEST, new Follow(all));
            assertThat(all).hasToString(before.toString());
            var late = new Tally(30_000);
            reader.read(JournalReader.From.NEWEST_SNAPSHOT, new Follow(late));
            assertThat(late).hasToString(before.toString());
            assertThat(late.applied.size()).isLessThan(all.applied.size());
        }
    }

    @Test
    void recordsThatAreNotAllowedAreRefusedAndHarmNothing() {
        try (var journal = Journal.open(folder, SMALL, new Tally())) {
            journal.append(1, 10, new byte[1]);
            assertThatThrownBy(() -> journal.append(0x7F00, 10, new byte[1]))
                    .hasMessageContaining("type");
            assertThatThrownBy(() -> journal.append(1, 9, new byte[1]))
                    .hasMessageContaining("ledger time 9 before 10");
            assertThatThrownBy(() -> journal.append(1, 10, new byte[(1 << 20) + 1]))
                    .hasMessageContaining("at most 1048576");
            assertThatThrownBy(() -> journal.append(1, 10, new byte[1 << 20]))
                    .hasMessageContaining("use larger segments");
            assertThat(journal.append(1, 10, new byte[1])).isEqualTo(journal.sequence());
        }
    }

    @Test
    void aSegmentThatIsNotRolledFillsUpAndRefusesBeforeItsEnd() {
        try (var journal = Journal.open(folder, SMALL, new Tally())) {
            assertThatThrownBy(
                            () -> {
                                for (int i = 0; i < 1 << 20; i++) {
                                    journal.append(1, 0, new byte[1000]);
                                }
                            })
                    .hasMessageContaining("is full");
            long last = journal.sequence();
            journal.rollIfDue();
            assertThat(journal.append(1, 0, new byte[1000])).isGreaterThan(last);
        }
        var after = new Tally();
        Journal.open(folder, SMALL, after).close();
        assertThat(after.applied).hasSize(1);
    }

    static Summary read(Path folder, JournalReader.From from, List<LogRecord> into) {
        try (var reader = JournalReader.open(folder)) {
            return reader.read(
                    from,
                    new JournalReader.Visitor() {
                        @Override
                        public void snapshot(long sequence, List<byte[]> chunks) {}

                        @Override
                        public void record(LogRecord record, boolean confirmed) {
                            into.add(record);
                        }

                        @Override
                        public void damage(Damage damage) {}
                    });
        }
    }

    /// Restores the first snapshot, and compares each later one with what the records led to.
    record Follow(Tally tally) implements JournalReader.Visitor {
        @Override
        public void snapshot(long sequence, List<byte[]> chunks) {
            if (tally.count() == 0) {
                tally.restore(chunks);
            } else {
                assertThat(chunks.getFirst()).isEqualTo(tally.snapshot().getFirst());
            }
        }

        @Override
        public void record(LogRecord record, boolean confirmed) {
            tally.apply(record);
        }

        @Override
        public void damage(Damage damage) {
            throw new AssertionError(damage);
        }
    }
}
