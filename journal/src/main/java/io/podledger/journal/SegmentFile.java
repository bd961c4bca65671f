package io.podledger.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/// One segment, read front to back without Chronicle: plain reads cannot be led astray by damage,
/// wait for a lock, write a byte or die of SIGBUS.
///
/// Chronicle's file is a row of documents, each at a multiple of 4 behind a 4-byte little-endian
/// header: bit 31 not complete, bit 30 Chronicle's own data (indexes), the rest the length. A zero
/// header is the end. Each document of ours is one [Envelope].
final class SegmentFile implements AutoCloseable {
    /// What stands where no further record could be read.
    enum Stop {
        /// Nothing was ever written here.
        EMPTY,
        /// A writer was or is at work here, or left its end mark.
        UNFINISHED,
        /// Something else than a record.
        BROKEN
    }

    /// What can still be read behind the place where reading stopped.
    ///
    /// @param sequence the highest sequence, 0 if there is no whole record
    /// @param durable the highest `durable` of those
    record Beyond(long sequence, long durable) {}

    private static final int NOT_COMPLETE = 1 << 31;
    private static final int CHRONICLES_OWN = 1 << 30;
    private static final int LENGTH = CHRONICLES_OWN - 1;
    private static final int HEADER_BYTES = 4;
    private static final int WINDOW_BYTES = 4 << 20;

    /// A segment is at most 1 GiB and a quarter of it as overlap.
    private static final long FILE_BYTES_MAX = 5L << 28;

    private final Path path;
    private final FileChannel channel;
    private final long size;
    private final ByteBuffer window;
    private long windowAt;
    private long offset;
    private long recordOffset;
    private Stop stop = Stop.EMPTY;

    SegmentFile(Path path) throws IOException {
        this.path = path;
        this.channel = FileChannel.open(path, StandardOpenOption.READ);
        this.size = Math.min(channel.size(), FILE_BYTES_MAX);
        this.window =
                ByteBuffer.allocate((int) Math.min(size, WINDOW_BYTES))
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .limit(0);
    }

    Path path() {
        return path;
    }

    /// Where the next document is, or where reading stopped.
    long offset() {
        return offset;
    }

    /// Where the document of the last record is.
    long recordOffset() {
        return recordOffset;
    }

    Stop stop() {
        return stop;
    }

    /// Goes on at a place that [#offset] gave, with what the file holds now.
    void seek(long offset) {
        this.offset = offset;
        window.limit(0);
    }

    /// The next record, if there is a whole one. Otherwise [#stop] tells why, and the offset stays.
    Optional<Envelope> next() throws IOException {
        while (offset + HEADER_BYTES <= size) {
            int header = window.getInt(load(offset, HEADER_BYTES));
            int length = header & LENGTH;
            if (header == 0) {
                return stop(Stop.EMPTY);
            }
            if ((header & NOT_COMPLETE) != 0) {
                return stop(Stop.UNFINISHED);
            }
            if (length > size - offset - HEADER_BYTES) {
                return stop(Stop.BROKEN);
            }
            if ((header & CHRONICLES_OWN) == 0) {
                return record(length);
            }
            offset = after(length);
        }
        return stop(Stop.EMPTY);
    }

    /// Searches everything from the offset to the end for whole records above `sequence`: they show
    /// whether a bad place is an unfinished end, or damage to what was confirmed.
    Beyond beyond(long sequence) throws IOException {
        long highest = 0;
        long durable = 0;
        for (long at = offset; at + Envelope.HEADER_BYTES <= size; at += HEADER_BYTES) {
            if (window.getInt(load(at, HEADER_BYTES)) != Envelope.MAGIC) {
                continue;
            }
            Optional<Envelope> found = envelope(at, Envelope.BYTES_MAX);
            if (found.isPresent() && found.get().sequence() > sequence) {
                highest = Math.max(highest, found.get().sequence());
                durable = Math.max(durable, found.get().durable());
            }
        }
        return new Beyond(highest, durable);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private Optional<Envelope> record(int length) throws IOException {
        if (length > Envelope.BYTES_MAX + HEADER_BYTES) {
            return stop(Stop.BROKEN);
        }
        Optional<Envelope> found = envelope(offset + HEADER_BYTES, length);
        if (found.isEmpty()) {
            return stop(Stop.BROKEN);
        }
        recordOffset = offset;
        offset = after(length);
        return found;
    }

    private Optional<Envelope> envelope(long at, int bytesMax) throws IOException {
        int bytes = (int) Math.min(bytesMax, size - at);
        int from = load(at, bytes);
        return Envelope.read(window.slice(from, bytes).order(ByteOrder.LITTLE_ENDIAN));
    }

    private Optional<Envelope> stop(Stop why) {
        stop = why;
        return Optional.empty();
    }

    private long after(int length) {
        return (offset + HEADER_BYTES + length + 3) & ~3L;
    }

    /// Makes `bytes` bytes of the file present in the window.
    ///
    /// @return where in the window they start
    private int load(long at, int bytes) throws IOException {
        if (at < windowAt || at + bytes > windowAt + window.limit()) {
            window.clear();
            windowAt = at;
            while (window.hasRemaining()
                    && channel.read(window, windowAt + window.position()) > 0) {}
            if (window.position() < bytes) {
                throw new IOException(path + " became shorter while it was read");
            }
            window.flip();
        }
        return (int) (at - windowAt);
    }
}
