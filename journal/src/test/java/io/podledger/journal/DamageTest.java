package io.podledger.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a start does with a folder that is not as it was left. `copy` is the folder of a writer
/// that died: two batches were synced, a third of three records was not.
class DamageTest {
    @TempDir Path temp;

    private Path copy = Path.of("");
    private Path newest = Path.of("");
    private long confirmed;

    @BeforeEach
    void aWriterDies() throws IOException {
        Path live = temp.resolve("live");
        var tally = new Tally();
        try (var journal = Journal.open(live, JournalTest.SMALL, tally)) {
            for (int i = 0; i < 3000; i++) {
                tally.append(journal, new byte[1000]);
            }
            journal.sync();
            tally.append(journal, new byte[100]);
            journal.sync();
            confirmed = journal.sequence() - 1;
            tally.append(journal, new byte[100]);
            tally.append(journal, new byte[100]);
            tally.append(journal, new byte[100]);
            copy = Folders.copy(live, temp.resolve("copy"));
        }
        newest = newest(copy);
    }

    @Test
    void whatIsWholeIsKeptAlthoughItWasNeverSynced() {
        assertThat(reopen().count()).isEqualTo(3004);
    }

    @Test
    void aTornLastRecordIsCutAndTheCutIsReported() {
        long last = lastSequence();
        Folders.damage(newest, last);
        assertThat(reopen().count()).isEqualTo(3003);
        Summary summary = summary();
        assertThat(summary.damages()).isEmpty();
        assertThat(summary.cuts()).hasSize(1);
        assertThat(summary.cuts().getFirst().file()).isEqualTo(newest);
        assertThat(summary.cuts().getFirst().sequence()).isEqualTo(last);
    }

    @Test
    void wholeRecordsBehindAHoleThatWereNeverConfirmedAreCutForGood() {
        Folders.damage(newest, lastSequence() - 2);
        for (int start = 0; start < 3; start++) {
            assertThat(reopen().count()).as("start %d", start).isEqualTo(3001 + start);
            try (var journal = Journal.open(copy, JournalTest.SMALL, new Tally())) {
                journal.append(1, journal.ledgerMillis(), new byte[10]);
            }
            assertThat(summary().damages()).isEmpty();
            assertThat(summary().cuts()).hasSize(1);
        }
        List<LogRecord> all = new ArrayList<>();
        JournalTest.read(copy, JournalReader.From.OLDEST, all);
        assertThat(all).hasSize(3004);
    }

    @Test
    void aDamagedConfirmedRecordIsRefusedWithItsPlaceAndNothingIsTouched() throws IOException {
        Folders.damage(newest, confirmed);
        var before = Folders.fingerprint(copy);
        assertThatThrownBy(this::reopen)
                .isInstanceOf(JournalException.class)
                .hasMessageContaining(newest.toString())
                .hasMessageContaining("sequence " + confirmed)
                .hasMessageContaining("restore the file from a copy");
        var after = Folders.fingerprint(copy);
        after.remove("LOCK");
        before.remove("LOCK");
        assertThat(after).isEqualTo(before);
        assertThat(summary().damages()).extracting(Damage::sequence).containsExactly(confirmed);
        assertThat(summary().lastSequence()).isEqualTo(confirmed - 1);
    }

    @Test
    void damageThatANewerSnapshotMakesUpForIsOnlyReported() {
        SegmentInfo older = summary().segments().get(1);
        Folders.damage(older.file(), older.lastSequence() - 10);
        assertThat(reopen().count()).isEqualTo(3004);
        assertThat(summary().damages())
                .extracting(Damage::sequence)
                .containsExactly(older.lastSequence() - 10);
    }

    @Test
    void aMissingMiddleSegmentIsRefused() throws IOException {
        long missing = summary().segments().get(1).firstSequence();
        Disk.removeFolder(summary().segments().get(1).file().resolveSibling(""));
        assertThatThrownBy(this::reopen)
                .hasMessageContaining("are missing: put the segments back")
                .hasMessageContaining("sequence " + missing);
        assertThat(summary().damages()).hasSize(1);
    }

    @Test
    void aMissingNewestSegmentIsRefused() throws IOException {
        Disk.removeFolder(newest.resolveSibling(""));
        assertThatThrownBy(this::reopen)
                .hasMessageContaining(newest.resolveSibling("").toString())
                .hasMessageContaining("the newest segment");
    }

    @Test
    void aMissingOrDamagedHeadIsRefused() throws IOException {
        Path head = copy.resolve("HEAD");
        Folders.overwrite(head, 20);
        assertThatThrownBy(this::reopen).hasMessageContaining("HEAD is damaged");
        Files.delete(head);
        assertThatThrownBy(this::reopen).hasMessageContaining("HEAD is missing");
        assertThat(summary().damages()).isEmpty();
    }

    @Test
    void aDamagedSnapshotOfTheNewestSegmentIsRefused() {
        Folders.damage(newest, summary().segments().getLast().firstSequence() + 1);
        assertThatThrownBy(this::reopen).hasMessageContaining("head or snapshot is damaged");
    }

    @Test
    void aReaderHearsOfDamageInFilesThatNoRecordCanBeReadFrom() throws IOException {
        assertThat(told()).isEmpty();
        long first = summary().segments().getLast().firstSequence();

        Folders.damage(newest, first + 1);
        assertThat(told()).extracting(Damage::file).containsExactly(newest);
        assertThat(told()).extracting(Damage::sequence).containsExactly(first);

        Disk.removeFolder(newest.resolveSibling(""));
        assertThat(told()).extracting(Damage::file).containsExactly(copy.resolve("HEAD"));
        assertThat(told()).extracting(Damage::sequence).containsExactly(first);

        Folders.overwrite(copy.resolve("HEAD"), 20);
        assertThat(told())
                .extracting(Damage::what)
                .containsExactly("HEAD is damaged; restore it from a copy of the folder");
    }

    private record Told(List<Damage> damages) implements JournalReader.Visitor {
        @Override
        public void snapshot(long sequence, List<byte[]> chunks) {}

        @Override
        public void record(LogRecord record, boolean confirmed) {}

        @Override
        public void damage(Damage damage) {
            damages.add(damage);
        }
    }

    private List<Damage> told() {
        List<Damage> told = new ArrayList<>();
        try (var reader = JournalReader.open(copy)) {
            reader.read(JournalReader.From.OLDEST, new Told(told));
        }
        return told;
    }

    @Test
    void aSegmentOfAnotherJournalIsRefused() throws IOException {
        Path other = temp.resolve("other");
        Journal.open(other, JournalTest.SMALL, new Tally()).close();
        int number = summary().segments().getLast().number() + 1;
        Files.createDirectories(Segment.folder(copy, number));
        Files.copy(
                Segment.file(other, 1),
                Segment.file(copy, number),
                StandardCopyOption.REPLACE_EXISTING);
        assertThatThrownBy(this::reopen).hasMessageContaining("belongs to another journal");
    }

    @Test
    void shortenedAndForeignFilesAreRefused() throws IOException {
        Files.write(newest, new byte[0]);
        assertThatThrownBy(this::reopen).hasMessageContaining(newest.toString());
        var garbage = new byte[100_000];
        new java.util.Random(1).nextBytes(garbage);
        Files.write(newest, garbage);
        assertThatThrownBy(this::reopen).hasMessageContaining(newest.toString());
    }

    private Tally reopen() {
        var tally = new Tally();
        Journal.open(copy, JournalTest.SMALL, tally).close();
        return tally;
    }

    private Summary summary() {
        try (var reader = JournalReader.open(copy)) {
            return reader.summary();
        }
    }

    private long lastSequence() {
        return summary().lastSequence();
    }

    private static Path newest(Path folder) {
        try (var reader = JournalReader.open(folder)) {
            return reader.summary().segments().getLast().file();
        }
    }
}
