package io.podledger.journal;

import java.nio.file.Path;

/// The log of one node, open for writing by this process alone.
public final class Journal implements AutoCloseable {
    private Journal() {}

    /// Locks the folder, recovers what is there into `state`, and begins a new segment with a
    /// snapshot of it.
    public static Journal open(Path folder, JournalOptions options, State state) {
        return new Journal();
    }

    /// Begins a new segment if the present one is nearly full: to be called before the state moves
    /// on, since the new segment starts with a snapshot of it.
    public void rollIfDue() {}

    /// Puts one record at the end. Not durable before [#sync].
    ///
    /// @return the record's sequence
    public long append(int type, long ledgerMillis, byte[] payload) {
        return 0;
    }

    /// Makes everything appended so far durable.
    public void sync() {}

    /// The sequence of the newest record.
    public long sequence() {
        return 0;
    }

    /// The ledger time of the newest record in ms, 0 in an empty log.
    public long ledgerMillis() {
        return 0;
    }

    /// The journal's own identity, a random UUID made with the folder.
    public String id() {
        return "";
    }

    @Override
    public void close() {}
}
