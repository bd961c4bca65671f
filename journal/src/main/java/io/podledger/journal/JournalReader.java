package io.podledger.journal;

import java.nio.file.Path;
import java.util.List;

/// Reads a journal without writing a byte into its folder: beside a live daemon, or a copy.
public final class JournalReader implements AutoCloseable {
    /// Where reading starts.
    public enum From {
        /// The oldest segment that is there.
        OLDEST,
        /// The newest snapshot that can be read.
        NEWEST_SNAPSHOT
    }

    /// Gets what stands in the log, in its order.
    public interface Visitor {
        /// The state as it stood after the record `sequence`. Comes once at the head of each
        /// segment: the first one has to be restored, a later one can be compared, and one that
        /// follows [#damage] has to be restored again.
        void snapshot(long sequence, List<byte[]> chunks);

        /// One of the state's records; the journal's own are not shown.
        ///
        /// @param confirmed whether a later record says that this one was synced
        void record(LogRecord record, boolean confirmed);

        /// Records are missing here; the next call is [#snapshot], or nothing follows.
        void damage(Damage damage);
    }

    private JournalReader() {}

    /// Looks through the whole log once, checking every record, so that [#summary] is known.
    ///
    /// @throws JournalException if the folder holds no journal or cannot be read
    public static JournalReader open(Path folder) {
        return new JournalReader();
    }

    /// What the look at [#open] found; a live journal has moved on since.
    public Summary summary() {
        return new Summary("", List.of(), 0, 0, List.of());
    }

    /// Shows the log up to the end that [#summary] names.
    public Summary read(From from, Visitor visitor) {
        return summary();
    }

    @Override
    public void close() {}
}
