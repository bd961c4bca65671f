package io.podledger.journal;

import java.util.List;

/// What the log's records add up to. The journal neither knows nor cares what it is; it needs it to
/// begin each segment with a snapshot, so that replay starts at the newest one and not at the first
/// record ever written.
public interface State {
    /// Forgets everything and takes what a snapshot holds. Replay goes on after it.
    ///
    /// @param chunks what [#snapshot] gave, in the same order
    /// @throws JournalException if the chunks cannot be understood: the journal then refuses
    void restore(List<byte[]> chunks);

    /// Takes one record. Called in the order of sequences, which ascend; the journal's own records
    /// have sequences too and are not shown, so there are gaps.
    ///
    /// @throws JournalException if the record cannot follow from what came before
    void apply(LogRecord record);

    /// Everything that is needed to go on without the records so far, in chunks of at most 1 MiB,
    /// and in sum well below a segment: otherwise no segment can begin.
    List<byte[]> snapshot();
}
