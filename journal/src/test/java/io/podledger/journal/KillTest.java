package io.podledger.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KillTest {
    private static final int KILLS = 4;
    private static final int CONFIRMATIONS_MAX = 150;
    private static final Duration KILL_JITTER = Duration.ofMillis(5);

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void nothingConfirmedIsLostWheneverTheWriterIsKilled(long seed) throws Exception {
        killAgainAndAgain(seed);
    }

    /// In a container the writer is always process 1: a lock that names its holder by pid would
    /// look like its own.
    @Test
    void aKilledWriterThatWasProcessOneIsFollowedByAnother() throws Exception {
        killAgainAndAgain(7, "unshare", "--pid", "--fork", "--kill-child");
    }

    @Test
    void aSecondProcessIsRefusedWithTheHoldersPid() throws Exception {
        try (var writer = Writer.start(folder, 1)) {
            String pid = writer.line().substring("pid ".length());
            assertThat(writer.line()).startsWith("open");
            assertThatThrownBy(() -> Journal.open(folder, JournalTest.SMALL, new Tally()))
                    .isInstanceOf(JournalException.class)
                    .hasMessageContaining("in use by process " + pid);
            assertThat(writer.line()).isNotEmpty();
        }
    }

    @Test
    void aSecondJournalInTheSameProcessIsRefusedAndTouchesNothing() throws IOException {
        try (var journal = Journal.open(folder, JournalTest.SMALL, new Tally())) {
            journal.append(1, 1, new byte[10]);
            assertThatThrownBy(() -> Journal.open(folder, JournalTest.SMALL, new Tally()))
                    .hasMessageContaining("process " + ProcessHandle.current().pid());
            journal.append(1, 1, new byte[10]);
            journal.sync();
        }
        var after = new Tally();
        Journal.open(folder, JournalTest.SMALL, after).close();
        assertThat(after.count()).isEqualTo(2);
    }

    private void killAgainAndAgain(long seed, String... prefix) throws Exception {
        var random = new Random(seed);
        long confirmed = 0;
        for (int i = 0; i < KILLS; i++) {
            try (var writer = Writer.start(folder, random.nextLong(), prefix)) {
                String pid = writer.line();
                if (prefix.length > 0) {
                    assertThat(pid).isEqualTo("pid 1");
                }
                confirmed = confirmations(writer, random, confirmed);
            }
            check("seed %d, kill %d".formatted(seed, i), confirmed);
        }
    }

    /// Reads confirmations for a while, kills the writer, and takes what it had still said.
    private static long confirmations(Writer writer, Random random, long before) throws Exception {
        int wait = random.nextInt(CONFIRMATIONS_MAX);
        String last = writer.line();
        assertThat(last).startsWith("open");
        long confirmed = before;
        String line = writer.line();
        while (!line.isEmpty()) {
            confirmed = Long.parseLong(line.substring(line.indexOf(' ') + 1));
            if (--wait == 0) {
                LockSupport.parkNanos(random.nextLong(KILL_JITTER.toNanos()));
                writer.kill();
            }
            line = writer.line();
        }
        return confirmed;
    }

    private void check(String when, long confirmed) {
        try (var reader = JournalReader.open(folder)) {
            assertThat(reader.summary().damages()).as(when).isEmpty();
            List<Long> counts = new ArrayList<>();
            reader.read(JournalReader.From.OLDEST, new Counts(counts));
            assertThat(counts.size()).as(when).isGreaterThanOrEqualTo((int) confirmed);
            for (int i = 0; i < counts.size(); i++) {
                assertThat(counts.get(i)).as(when).isEqualTo(i);
            }
        }
    }

    private record Counts(List<Long> counts) implements JournalReader.Visitor {
        @Override
        public void snapshot(long sequence, List<byte[]> chunks) {
            assertThat(ByteBuffer.wrap(chunks.getFirst()).getLong()).isEqualTo(counts.size());
        }

        @Override
        public void record(LogRecord record, boolean confirmed) {
            counts.add(ByteBuffer.wrap(record.payload()).getLong());
        }

        @Override
        public void damage(Damage damage) {
            throw new AssertionError(damage);
        }
    }
}
