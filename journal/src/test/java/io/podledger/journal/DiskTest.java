package io.podledger.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskTest {
    private static final int SEGMENT_KIB = 1024;

    @TempDir Path folder;

    @Test
    void aHundredStartsWithoutARecordKeepThreeSegmentsAtMost() throws Exception {
        var tally = new Tally();
        try (var journal = Journal.open(folder, JournalTest.SMALL, tally)) {
            tally.append(journal, new byte[100]);
        }
        for (int start = 0; start < 100; start++) {
            var again = new Tally();
            try (var _ = Journal.open(folder, JournalTest.SMALL, again)) {
                assertThat(Segment.numbers(folder).size()).isLessThanOrEqualTo(3);
            }
            assertThat(again).hasToString(tally.toString());
        }
        assertThat(usedKib()).isLessThan(3 * SEGMENT_KIB);
    }

    @Test
    void theUnusedEndOfAnAbandonedSegmentIsGivenBack() throws Exception {
        for (int start = 0; start < 10; start++) {
            var tally = new Tally();
            try (var journal = Journal.open(folder, JournalTest.SMALL, tally)) {
                tally.append(journal, new byte[100]);
            }
        }
        assertThat(Segment.numbers(folder)).hasSize(10);
        assertThat(usedKib()).isLessThan(3 * SEGMENT_KIB);
    }

    @Test
    void aSegmentHasItsDiskSpaceBeforeItIsUsed() throws Exception {
        try (var journal = Journal.open(folder, JournalTest.SMALL, new Tally())) {
            journal.sync();
            assertThat(usedKib()).isGreaterThanOrEqualTo(SEGMENT_KIB);
        }
    }

    @Test
    void aSyncThatFailedEndsTheJournalForGood() {
        var tally = new Tally();
        try (var journal = Journal.open(folder, JournalTest.SMALL, tally)) {
            tally.append(journal, new byte[100]);
            // The kernel's own answer to an interrupted thread: Java closes the file under it.
            Thread.currentThread().interrupt();
            assertThatThrownBy(journal::sync)
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("start anew");
            assertThat(Thread.interrupted()).isTrue();
            assertThatThrownBy(journal::sync).hasMessageContaining("start anew");
            assertThatThrownBy(() -> tally.append(journal, new byte[1]))
                    .hasMessageContaining("start anew");
        }
    }

    @Test
    void aStateWithoutASnapshotEndsTheJournal() {
        var tally = new Tally(1 << 20);
        assertThatThrownBy(() -> Journal.open(folder, JournalTest.SMALL, tally))
                .isInstanceOf(JournalException.class)
                .hasMessageContaining("use larger segments");
        Journal.open(folder, JournalOptions.DEFAULTS, tally).close();
    }

    private long usedKib() throws IOException, InterruptedException {
        Process du = new ProcessBuilder("du", "-sk", folder.toString()).start();
        var output = new String(du.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertThat(du.waitFor()).isZero();
        return Long.parseLong(output.substring(0, output.indexOf('\t')));
    }
}
