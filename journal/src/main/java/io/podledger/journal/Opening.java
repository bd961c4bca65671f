package io.podledger.journal;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a segment begins with: its head, the cut of the segment before it if there was one, and the
/// state's snapshot. Written in one go and synced before the first record of the state may follow.
///
/// @param last the last record of the opening
/// @param end where the next document starts
record Opening(
        Envelope first,
        Mark.Head head,
        Optional<Mark.Cut> cut,
        List<byte[]> snapshot,
        Envelope last,
        long end) {
    /// Reads it from a fresh file, if it is there as a whole.
    static Optional<Opening> read(SegmentFile file) throws IOException {
        Optional<Envelope> first = file.next();
        if (first.isEmpty() || !(Mark.of(first.get()).orElse(null) instanceof Mark.Head head)) {
            return Optional.empty();
        }
        Optional<Mark.Cut> cut = Optional.empty();
        List<byte[]> snapshot = new ArrayList<>();
        Envelope last = first.get();
        for (int i = 0; i < head.marks(); i++) {
            Optional<Envelope> next = file.next();
            if (next.isEmpty() || !next.get().follows(last.sequence(), last.crc())) {
                return Optional.empty();
            }
            last = next.get();
            switch (Mark.of(last).orElse(head)) {
                case Mark.Cut found -> cut = Optional.of(found);
                case Mark.Chunk chunk -> snapshot.add(chunk.payload());
                case Mark.Head _, Mark.Confirmed _ -> {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(
                new Opening(first.get(), head, cut, List.copyOf(snapshot), last, file.offset()));
    }

    /// The record that the segment goes on from: the state's snapshot stands there.
    long base() {
        return first.sequence() - 1;
    }

    Opening withoutSnapshot() {
        return new Opening(first, head, cut, List.of(), last, end);
    }
}
