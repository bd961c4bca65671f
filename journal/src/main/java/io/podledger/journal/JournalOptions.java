package io.podledger.journal;

/// @param segmentBytes size of a segment, a power of two from 1 MiB to 1 GiB
public record JournalOptions(int segmentBytes) {
    public static final JournalOptions DEFAULTS = new JournalOptions(16 << 20);

    private static final int SEGMENT_BYTES_MIN = 1 << 20;
    private static final int SEGMENT_BYTES_MAX = 1 << 30;

    public JournalOptions {
        if (segmentBytes < SEGMENT_BYTES_MIN
                || segmentBytes > SEGMENT_BYTES_MAX
                || Integer.bitCount(segmentBytes) != 1) {
            throw new IllegalArgumentException(
                    "segmentBytes is %d, must be a power of two from %d to %d"
                            .formatted(segmentBytes, SEGMENT_BYTES_MIN, SEGMENT_BYTES_MAX));
        }
    }
}
