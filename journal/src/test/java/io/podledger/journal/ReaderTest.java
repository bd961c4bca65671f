package io.podledger.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReaderTest {
    private static final int LOOKS = 60;

    @TempDir Path temp;

    @Test
    void besideALiveWriterEveryLookIsSoundAndHoldsWhatWasSynced() {
        var synced = new AtomicLong();
        var stop = new AtomicBoolean();
        var tally = new Tally();
        var journal = Journal.open(temp, JournalTest.SMALL, tally);
        var writer = CompletableFuture.runAsync(() -> write(journal, tally, synced, stop));
        try {
            for (int look = 0; look < LOOKS; look++) {
                long before = synced.get();
                try (var reader = JournalReader.open(temp)) {
                    assertThat(reader.summary().damages()).as("look %d", look).isEmpty();
                    assertThat(reader.summary().lastSequence()).isGreaterThanOrEqualTo(before);
                    reader.read(
                            look % 2 == 0
                                    ? JournalReader.From.OLDEST
                                    : JournalReader.From.NEWEST_SNAPSHOT,
                            new JournalTest.Follow(new Tally()));
                }
            }
        } finally {
            stop.set(true);
            writer.join();
            journal.close();
        }
        assertThat(synced.get()).isPositive();
    }

    private static void write(Journal journal, Tally tally, AtomicLong synced, AtomicBoolean stop) {
        while (!stop.get() && tally.count() < 50_000) {
            for (int i = 0; i < 20; i++) {
                tally.append(journal, new byte[500]);
            }
            journal.sync();
            synced.set(journal.sequence());
        }
    }

    @Test
    void aCopyOfTheSegmentsAloneIsEnoughAndReadingChangesNothing() throws IOException {
        Path live = temp.resolve("live");
        var tally = new Tally();
        Path copy;
        try (var journal = Journal.open(live, JournalTest.SMALL, tally)) {
            for (int i = 0; i < 2000; i++) {
                tally.append(journal, new byte[1000]);
            }
            copy = Folders.copy(live, temp.resolve("copy"));
        }
        Files.delete(copy.resolve("LOCK"));
        Files.delete(copy.resolve("HEAD"));
        for (int number : Segment.numbers(copy)) {
            Segment.removeMetadata(copy, number);
        }
        var before = Folders.fingerprint(copy);
        var read = new Tally();
        try (var reader = JournalReader.open(copy)) {
            reader.read(JournalReader.From.OLDEST, new JournalTest.Follow(read));
        }
        assertThat(read).hasToString(tally.toString());
        assertThat(Folders.fingerprint(copy)).isEqualTo(before);
    }

    @Test
    void recordsThatNoLaterOneConfirmsAreMarked() {
        try (var journal = Journal.open(temp, JournalTest.SMALL, new Tally())) {
            long first = journal.append(1, 0, new byte[1]);
            journal.sync();
            long second = journal.append(1, 0, new byte[1]);
            List<String> seen = new ArrayList<>();
            try (var reader = JournalReader.open(temp)) {
                Summary summary = reader.read(JournalReader.From.OLDEST, new Marks(seen));
                assertThat(summary.durable()).isEqualTo(first);
                assertThat(summary.lastSequence()).isEqualTo(second);
            }
            assertThat(seen).containsExactly(first + " true", second + " false");
        }
    }

    @Test
    void aJournalAtRestConfirmsItsLastBatch() {
        var tally = new Tally();
        try (var journal = Journal.open(temp, JournalTest.SMALL, tally)) {
            tally.append(journal, new byte[1]);
            long only = journal.sequence();
            journal.confirm();
            assertThat(confirmations()).as("not synced yet").containsExactly(only + " false");

            journal.sync();
            journal.confirm();
            long noted = journal.sequence();
            journal.confirm();
            journal.sync();
            journal.confirm();

            assertThat(journal.sequence()).as("one note is enough").isEqualTo(noted);
            assertThat(confirmations()).containsExactly(only + " true");
            tally.append(journal, new byte[1]);
        }
        assertThat(confirmations()).hasSize(2);
        var replayed = new Tally();
        Journal.open(temp, JournalTest.SMALL, replayed).close();
        assertThat(replayed).hasToString(tally.toString());
    }

    private List<String> confirmations() {
        List<String> seen = new ArrayList<>();
        try (var reader = JournalReader.open(temp)) {
            reader.read(JournalReader.From.OLDEST, new Marks(seen));
        }
        return seen;
    }

    @Test
    void aFolderWithoutAJournalIsRefused() {
        assertThatThrownBy(() -> JournalReader.open(temp))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("holds no journal");
        assertThatThrownBy(() -> JournalReader.open(temp.resolve("nowhere")))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("nowhere");
    }

    private record Marks(List<String> seen) implements JournalReader.Visitor {
        @Override
        public void snapshot(long sequence, List<byte[]> chunks) {}

        @Override
        public void record(LogRecord record, boolean confirmed) {
            seen.add(record.sequence() + " " + confirmed);
        }

        @Override
        public void damage(Damage damage) {}
    }
}
