package io.podledger.journal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32C;

/// One record with what is needed to prove that it is whole and in its place. Little-endian:
///
/// ```
///  0        4        6        8                 16
///  +--------+--------+--------+-----------------+
///  | magic  | format | type   | sequence        |
///  +--------+--------+--------+-----------------+
/// 16                 24                         32
///  +-----------------+--------------------------+
///  | ledger time, ms | wall time, ms            |
///  +-----------------+--------------------------+
/// 32                 40       44       48       52
///  +-----------------+--------+--------+--------+---------
///  | durable         | prev   | length | CRC32C | payload
///  +-----------------+--------+--------+--------+---------
/// ```
///
/// @param durable the highest sequence known to be synced when this record was written: a later
///   start tells by it what may have been answered
/// @param previousCrc the CRC of the record before it: a missing record or segment shows
/// @param crc CRC32C over the header without this field, and the payload
record Envelope(
        int type,
        long sequence,
        long ledgerMillis,
        long wallMillis,
        long durable,
        int previousCrc,
        int crc,
        byte[] payload) {
    /// "PLJ1" as it stands in the file.
    static final int MAGIC = 0x314A4C50;

    static final int FORMAT = 1;
    static final int HEADER_BYTES = 52;
    static final int PAYLOAD_BYTES_MAX = 1 << 20;
    static final int BYTES_MAX = HEADER_BYTES + PAYLOAD_BYTES_MAX;

    private static final int CRC_AT = 48;

    /// A record yet to be written, its CRC computed.
    static Envelope seal(
            int type,
            long sequence,
            long ledgerMillis,
            long wallMillis,
            long durable,
            int previousCrc,
            byte[] payload) {
        var open =
                new Envelope(
                        type, sequence, ledgerMillis, wallMillis, durable, previousCrc, 0, payload);
        ByteBuffer header = open.header();
        return new Envelope(
                type,
                sequence,
                ledgerMillis,
                wallMillis,
                durable,
                previousCrc,
                crc(header, ByteBuffer.wrap(payload)),
                payload);
    }

    byte[] bytes() {
        ByteBuffer header = header();
        header.putInt(CRC_AT, crc);
        var bytes = new byte[HEADER_BYTES + payload.length];
        header.get(0, bytes, 0, HEADER_BYTES);
        System.arraycopy(payload, 0, bytes, HEADER_BYTES, payload.length);
        return bytes;
    }

    /// The record that starts at the buffer's position, if a whole one does. The buffer must be
    /// little-endian; its position stays.
    static Optional<Envelope> read(ByteBuffer from) {
        int at = from.position();
        if (from.remaining() < HEADER_BYTES
                || from.getInt(at) != MAGIC
                || from.getShort(at + 4) != FORMAT) {
            return Optional.empty();
        }
        int length = from.getInt(at + 44);
        if (length < 0 || length > PAYLOAD_BYTES_MAX || length > from.remaining() - HEADER_BYTES) {
            return Optional.empty();
        }
        ByteBuffer payload = from.slice(at + HEADER_BYTES, length);
        int crc = from.getInt(at + CRC_AT);
        if (crc(from.slice(at, HEADER_BYTES), payload.duplicate()) != crc) {
            return Optional.empty();
        }
        var bytes = new byte[length];
        payload.get(bytes);
        return Optional.of(
                new Envelope(
                        Short.toUnsignedInt(from.getShort(at + 6)),
                        from.getLong(at + 8),
                        from.getLong(at + 16),
                        from.getLong(at + 24),
                        from.getLong(at + 32),
                        from.getInt(at + 40),
                        crc,
                        bytes));
    }

    /// Whether this one is the next after `previous`.
    boolean follows(long previousSequence, int previousCrc) {
        return sequence == previousSequence + 1 && this.previousCrc == previousCrc;
    }

    /// Whether it belongs to the journal itself and not to the state.
    boolean isJournals() {
        return Mark.isJournals(type);
    }

    LogRecord record() {
        return new LogRecord(sequence, ledgerMillis, wallMillis, type, payload);
    }

    private ByteBuffer header() {
        return ByteBuffer.allocate(HEADER_BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putShort((short) FORMAT)
                .putShort((short) type)
                .putLong(sequence)
                .putLong(ledgerMillis)
                .putLong(wallMillis)
                .putLong(durable)
                .putInt(previousCrc)
                .putInt(payload.length)
                .putInt(0)
                .flip();
    }

    private static int crc(ByteBuffer header, ByteBuffer payload) {
        var crc = new CRC32C();
        crc.update(header.slice(0, CRC_AT));
        crc.update(payload);
        return (int) crc.getValue();
    }
}
