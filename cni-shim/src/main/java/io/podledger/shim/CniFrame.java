package io.podledger.shim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/// The frame around a message, on the socket and in a spool file alike. Its layout is drawn in
/// `cni.proto`.
public final class CniFrame {
    public static final int HEADER_BYTES = 16;
    public static final int MESSAGE_BYTES_MAX = 1_048_576;
    public static final int BYTES_MAX = HEADER_BYTES + MESSAGE_BYTES_MAX;

    /// This side's own version. The one below and the one above are served as well.
    public static final int VERSION = 1;

    /// "PDLG", little-endian.
    private static final int MAGIC = 0x474C4450;

    private CniFrame() {}

    public static byte[] encode(byte[] message) {
        return ByteBuffer.allocate(HEADER_BYTES + message.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putShort((short) VERSION)
                .putShort((short) 0)
                .putInt(message.length)
                .putInt(crc(message))
                .put(message)
                .array();
    }

    /// How many bytes the frame has that begins like this; 0 where fewer than [#HEADER_BYTES] are
    /// there.
    ///
    /// @throws IllegalArgumentException if no frame that is served begins so
    public static int frameBytes(byte[] head) {
        if (head.length < HEADER_BYTES) {
            return 0;
        }
        ByteBuffer header = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        int version = header.getShort(4) & 0xffff;
        int length = header.getInt(8);
        if (header.getInt(0) != MAGIC) {
            throw new IllegalArgumentException("it does not begin with PDLG");
        }
        if (Math.abs(version - VERSION) > 1) {
            throw new IllegalArgumentException(
                    "its version is "
                            + version
                            + ", and "
                            + (VERSION - 1)
                            + " to "
                            + (VERSION + 1)
                            + " are served");
        }
        if (length < 0 || length > MESSAGE_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "its length is "
                            + Integer.toUnsignedString(length)
                            + " bytes, and at most "
                            + MESSAGE_BYTES_MAX
                            + " are served");
        }
        return HEADER_BYTES + length;
    }

    /// The message in a whole frame.
    ///
    /// @throws IllegalArgumentException if it is not one whole frame
    public static byte[] payload(byte[] frame) {
        if (frame.length != frameBytes(frame) || frame.length == 0) {
            throw new IllegalArgumentException(
                    "it has " + frame.length + " bytes and is not whole");
        }
        byte[] message = new byte[frame.length - HEADER_BYTES];
        System.arraycopy(frame, HEADER_BYTES, message, 0, message.length);
        if (crc(message) != ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getInt(12)) {
            throw new IllegalArgumentException("its checksum does not match");
        }
        return message;
    }

    private static int crc(byte[] message) {
        CRC32C crc = new CRC32C();
        crc.update(message);
        return (int) crc.getValue();
    }
}
