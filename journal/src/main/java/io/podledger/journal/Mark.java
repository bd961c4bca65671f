package io.podledger.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.UUID;

/// What the journal writes about itself. Marks stand in the chain like any record and use up
/// sequences: one rule then proves all of them. Little-endian.
sealed interface Mark {
    int SEGMENT_HEAD = 0x7F00;
    int DURABILITY_CUT = 0x7F01;
    int SNAPSHOT_CHUNK = 0x7F02;
    int CONFIRMED = 0x7F03;

    int type();

    byte[] payload();

    /// The first record of a segment. Its sequence less one, and its previous CRC, say where the
    /// segment before it ends, whatever else may stand in there.
    ///
    /// @param marks how many marks follow it before the first record of the state
    record Head(UUID journal, int number, int marks) implements Mark {
        @Override
        public int type() {
            return SEGMENT_HEAD;
        }

        @Override
        public byte[] payload() {
            return buffer(24)
                    .putLong(journal.getMostSignificantBits())
                    .putLong(journal.getLeastSignificantBits())
                    .putInt(number)
                    .putInt(marks)
                    .array();
        }
    }

    /// Tells that the end of the segment before this one was cut off at start, because nothing in
    /// there had been confirmed.
    ///
    /// @param segment the segment that was cut
    /// @param offset bytes from its start; what begins there is void
    /// @param seen the highest sequence that could still be read beyond, 0 if none
    record Cut(int segment, long offset, long seen) implements Mark {
        @Override
        public int type() {
            return DURABILITY_CUT;
        }

        @Override
        public byte[] payload() {
            return buffer(20).putInt(segment).putLong(offset).putLong(seen).array();
        }
    }

    /// A part of the state as it stood before the segment's head.
    record Chunk(byte[] payload) implements Mark {
        @Override
        public int type() {
            return SNAPSHOT_CHUNK;
        }
    }

    /// Says by its `durable` that what stands before it is durable, where no other record does.
    record Confirmed() implements Mark {
        @Override
        public int type() {
            return CONFIRMED;
        }

        @Override
        public byte[] payload() {
            return new byte[0];
        }
    }

    static boolean isJournals(int type) {
        return (type & 0xFF00) == 0x7F00;
    }

    /// Empty if it is none that this version knows.
    static Optional<Mark> of(Envelope envelope) {
        byte[] payload = envelope.payload();
        ByteBuffer from = ByteBuffer.wrap(payload).order(ByteOrder.LITTLE_ENDIAN);
        if (envelope.type() == SEGMENT_HEAD && payload.length == 24) {
            return Optional.of(head(from));
        }
        if (envelope.type() == DURABILITY_CUT && payload.length == 20) {
            return Optional.of(cut(from));
        }
        if (envelope.type() == CONFIRMED && payload.length == 0) {
            return Optional.of(new Confirmed());
        }
        return envelope.type() == SNAPSHOT_CHUNK
                ? Optional.of(new Chunk(payload))
                : Optional.empty();
    }

    private static Head head(ByteBuffer from) {
        return new Head(new UUID(from.getLong(), from.getLong()), from.getInt(), from.getInt());
    }

    private static Cut cut(ByteBuffer from) {
        return new Cut(from.getInt(), from.getLong(), from.getLong());
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
