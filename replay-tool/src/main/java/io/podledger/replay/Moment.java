package io.podledger.replay;

import java.time.Instant;

/// A place in the story: after a certain record, or at a certain time of day.
sealed interface Moment {
    /// After the record with this sequence.
    record AtSequence(long sequence) implements Moment {}

    /// After the last record, in the order of sequences, whose wall time is not later.
    record AtTime(Instant time) implements Moment {}

    /// After everything.
    record End() implements Moment {}

    String EXAMPLES = "4711 (a sequence), " + TimeText.EXAMPLES;

    /// Digits alone are a sequence; everything else is a time.
    ///
    /// @throws IllegalArgumentException with a message that says what is wrong with the text
    static Moment parse(String given, TimeText times) {
        String text = given.strip();
        if (!text.matches("\\d+")) {
            return new AtTime(times.parse(given));
        }
        try {
            return new AtSequence(positive(given, Long.parseLong(text)));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + given + "' is too large for a sequence", e);
        }
    }

    private static long positive(String given, long sequence) {
        if (sequence == 0) {
            throw new IllegalArgumentException("'" + given + "': sequences begin with 1");
        }
        return sequence;
    }
}
