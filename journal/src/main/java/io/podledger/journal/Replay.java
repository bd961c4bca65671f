package io.podledger.journal;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Reads a segment once more that a [LogScan] has checked, and gives its contents away.
final class Replay {
    interface Snapshot {
        void at(long sequence, List<byte[]> chunks);
    }

    private Replay() {}

    static void run(LogScan.Part part, Snapshot snapshot, Consumer<LogRecord> records)
            throws IOException {
        try (var file = new SegmentFile(part.file())) {
            Opening opening =
                    Opening.read(file)
                            .orElseThrow(() -> new IOException("%s has changed".formatted(part)));
            snapshot.at(opening.base(), opening.snapshot());
            long sequence = opening.last().sequence();
            while (sequence < part.last().sequence()) {
                Optional<Envelope> next = file.next();
                if (next.isEmpty()) {
                    throw new IOException(part.file() + " changed while it was read");
                }
                sequence = next.get().sequence();
                if (!next.get().isJournals()) {
                    records.accept(next.get().record());
                }
            }
        }
    }
}
