package io.podledger.journal;

import java.nio.file.Path;

/// One segment of the log.
///
/// @param number ascending; numbers may be left out
/// @param firstSequence the sequence of its first record
/// @param lastSequence the sequence of its last record that belongs to the log
/// @param records how many records of the state it holds
/// @param bytes how much of the file is in use
public record SegmentInfo(
        Path file, int number, long firstSequence, long lastSequence, long records, long bytes) {}
