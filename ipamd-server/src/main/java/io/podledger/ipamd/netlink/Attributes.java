package io.podledger.ipamd.netlink;

import io.podledger.projections.IpAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The attributes of a message from the kernel, by type. Where a type repeats, the last counts.
final class Attributes {
    /// The upper two bits of a type say "nested" and "network order".
    private static final int TYPE_MASK = 0x3fff;

    private final Map<Integer, ByteBuffer> values = new HashMap<>();

    /// @param bytes stands at the first attribute
    Attributes(ByteBuffer bytes) {
        while (bytes.remaining() >= 4) {
            int start = bytes.position();
            int length = Short.toUnsignedInt(bytes.getShort(start));
            if (length < 4 || length > bytes.remaining()) {
                return;
            }
            values.put(
                    bytes.getShort(start + 2) & TYPE_MASK,
                    bytes.slice(start + 4, length - 4).order(ByteOrder.nativeOrder()));
            bytes.position(Math.min(bytes.limit(), start + ((length + 3) & ~3)));
        }
    }

    int number(int type, int absent) {
        ByteBuffer value = values.get(type);
        if (value == null) {
            return absent;
        }
        return value.remaining() >= 4 ? value.getInt(0) : Byte.toUnsignedInt(value.get(0));
    }

    byte[] bytes(int type) {
        ByteBuffer value = values.get(type);
        if (value == null) {
            return new byte[0];
        }
        byte[] bytes = new byte[value.remaining()];
        value.get(0, bytes);
        return bytes;
    }

    /// Empty where the attribute is absent.
    String text(int type) {
        byte[] bytes = bytes(type);
        int end =
                bytes.length > 0 && bytes[bytes.length - 1] == 0 ? bytes.length - 1 : bytes.length;
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }

    Optional<IpAddress> address(int type) {
        byte[] bytes = bytes(type);
        return bytes.length == 4 || bytes.length == 16
                ? Optional.of(IpAddress.of(bytes))
                : Optional.empty();
    }
}
