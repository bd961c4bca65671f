package io.podledger.journal;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A state that is easy to compare: how many records, and a hash over all of them in their order.
final class Tally implements State {
    private long count;
    private long hash;
    private long lastSequence;
    private final int chunkBytes;
    final List<Long> applied = new ArrayList<>();

    Tally() {
        this(16);
    }

    /// @param chunkBytes size of the snapshot's second chunk
    Tally(int chunkBytes) {
        this.chunkBytes = chunkBytes;
    }

    @Override
    public void restore(List<byte[]> chunks) {
        ByteBuffer from = ByteBuffer.wrap(chunks.getFirst());
        count = from.getLong();
        hash = from.getLong();
        lastSequence = from.getLong();
        applied.clear();
    }

    @Override
    public void apply(LogRecord record) {
        if (record.sequence() <= lastSequence) {
            throw new JournalException(record.sequence() + " after " + lastSequence);
        }
        count(record.sequence(), record.payload());
        applied.add(record.sequence());
    }

    @Override
    public List<byte[]> snapshot() {
        return List.of(
                ByteBuffer.allocate(24).putLong(count).putLong(hash).putLong(lastSequence).array(),
                new byte[chunkBytes]);
    }

    long count() {
        return count;
    }

    /// Appends as the daemon does: roll, then move the state on, then append.
    long append(Journal journal, byte[] payload) {
        journal.rollIfDue();
        count(journal.sequence() + 1, payload);
        return journal.append(1, journal.ledgerMillis() + 1, payload);
    }

    private void count(long sequence, byte[] payload) {
        count++;
        hash = 31 * hash + sequence;
        hash = 31 * hash + Arrays.hashCode(payload);
        lastSequence = sequence;
    }

    @Override
    public String toString() {
        return count + " records, hash " + hash;
    }
}
