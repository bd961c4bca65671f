package io.podledger.projections;

import java.nio.charset.StandardCharsets;

/// Bounds on text, so that no fact can outgrow [EventCodec#EVENT_BYTES_MAX].
final class Texts {
    private Texts() {}

    /// Room for one name: CNI and Kubernetes stay below 256 bytes.
    static final int NAME_BYTES_MAX = 1_024;

    /// PATH_MAX of Linux.
    static final int PATH_BYTES_MAX = 4_096;

    /// Room for one explanation.
    static final int DETAIL_CHARS_MAX = 1_000;

    /// @throws IllegalArgumentException if the text is longer than `bytesMax` bytes of UTF-8
    static String bounded(String what, String text, int bytesMax) {
        boolean surelyFits = text.length() <= bytesMax / 3;
        if (!surelyFits && text.getBytes(StandardCharsets.UTF_8).length > bytesMax) {
            throw new IllegalArgumentException(
                    what + " is longer than " + bytesMax + " bytes: shorten it");
        }
        return text;
    }

    /// The text's beginning, cut where no character is split.
    static String clip(String text) {
        if (text.length() <= DETAIL_CHARS_MAX) {
            return text;
        }
        boolean splits = Character.isHighSurrogate(text.charAt(DETAIL_CHARS_MAX - 1));
        return text.substring(0, splits ? DETAIL_CHARS_MAX - 1 : DETAIL_CHARS_MAX);
    }
}
