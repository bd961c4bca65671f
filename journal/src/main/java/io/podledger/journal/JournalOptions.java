package io.podledger.journal;

/// @param segmentBytes size of a segment, a power of two from 1 MiB to 1 GiB
public record JournalOptions(int segmentBytes) {
    public static final JournalOptions DEFAULTS = new JournalOptions(16 << 20);
}
