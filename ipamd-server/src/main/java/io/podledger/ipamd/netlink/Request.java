package io.podledger.ipamd.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/// One rtnetlink message on its way to the kernel, in the machine's byte order.
///
/// ```
/// 0        4      6       8          12       16
/// | length | type | flags | sequence | port 0 | family header | attributes …
/// attribute: | length 2 | type 2 | value, padded to 4 |
/// ```
public final class Request {
    static final int HEADER_BYTES = 16;

    static final int REQUEST = 0x1;
    static final int ACK = 0x4;
    static final int DUMP = 0x300;
    static final int CREATE = 0x400;
    static final int EXCLUSIVE = 0x200;
    static final int REPLACE = 0x100;

    private static final int BYTES_MAX = 1024;

    private final String what;
    private final ByteBuffer bytes =
            ByteBuffer.allocate(BYTES_MAX).order(ByteOrder.nativeOrder()).position(HEADER_BYTES);

    /// @param what the request in words, for error messages
    Request(String what, int type, int flags) {
        this.what = what;
        bytes.putShort(4, (short) type).putShort(6, (short) (flags | REQUEST));
    }

    public String what() {
        return what;
    }

    Request u8(int... values) {
        for (int value : values) {
            bytes.put((byte) value);
        }
        return this;
    }

    Request u16(int value) {
        bytes.putShort((short) value);
        return this;
    }

    Request u32(int value) {
        bytes.putInt(value);
        return this;
    }

    Request attribute(int type, byte[] value) {
        u16(4 + value.length).u16(type);
        bytes.put(value);
        return pad();
    }

    Request attribute(int type, int value) {
        return u16(8).u16(type).u32(value);
    }

    Request attribute(int type, String value) {
        return attribute(type, (value + "\0").getBytes(StandardCharsets.UTF_8));
    }

    Request nested(int type, Consumer<Request> inner) {
        int start = bytes.position();
        u16(0).u16(type);
        inner.accept(this);
        bytes.putShort(start, (short) (bytes.position() - start));
        return pad();
    }

    /// The finished message, of a size that is a multiple of 4.
    byte[] encoded(int sequence) {
        bytes.putInt(0, bytes.position()).putInt(8, sequence);
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private Request pad() {
        while (bytes.position() % 4 != 0) {
            bytes.put((byte) 0);
        }
        return this;
    }
}
