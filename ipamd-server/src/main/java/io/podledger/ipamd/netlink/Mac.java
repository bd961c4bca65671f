package io.podledger.ipamd.netlink;

import java.util.HexFormat;

/// An Ethernet address, in the low 48 bits.
public record Mac(long bits) {
    public static final Mac NONE = new Mac(0);

    /// The first six bytes; fewer mean that there is no Ethernet address.
    public static Mac of(byte[] bytes) {
        if (bytes.length < 6) {
            return NONE;
        }
        long bits = 0;
        for (int i = 0; i < 6; i++) {
            bits = (bits << 8) | (bytes[i] & 0xff);
        }
        return new Mac(bits);
    }

    public byte[] bytes() {
        byte[] bytes = new byte[6];
        for (int i = 0; i < 6; i++) {
            bytes[i] = (byte) (bits >>> (40 - 8 * i));
        }
        return bytes;
    }

    @Override
    public String toString() {
        return HexFormat.ofDelimiter(":").formatHex(bytes());
    }
}
