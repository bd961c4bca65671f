package io.podledger.journal;

import java.util.List;

/// What a look through a whole log found.
///
/// @param journalId the journal's own identity
/// @param segments the segments that make up the log, oldest first
/// @param lastSequence the newest record, 0 if there is none
/// @param durable the highest sequence that the log itself says was synced; what lies above may
///   have been written and never answered
/// @param damages where the log is not what was written; empty for a sound one. The unfinished end
///   of a live or killed writer is no damage.
/// @param cuts where a start cut such an end off; the sequences were given anew
public record Summary(
        String journalId,
        List<SegmentInfo> segments,
        long lastSequence,
        long durable,
        List<Damage> damages,
        List<Damage> cuts) {}
