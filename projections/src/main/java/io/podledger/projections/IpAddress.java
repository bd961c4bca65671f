package io.podledger.projections;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/// An IPv4 or IPv6 address: 128 bits, and which family they are of. IPv4 lives in the low 32 bits.
public record IpAddress(boolean v6, long high, long low) implements Comparable<IpAddress> {
    /// @throws IllegalArgumentException if the text is not a literal address
    public static IpAddress parse(String text) {
        if (text.isEmpty()
                || !text.chars()
                        .allMatch(c -> Character.digit(c, 16) >= 0 || c == '.' || c == ':')) {
            throw new IllegalArgumentException("'" + text + "' is not an IP address");
        }
        try {
            return of(InetAddress.ofLiteral(text).getAddress());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not an IP address", e);
        }
    }

    /// @param bytes 4 or 16 bytes in network order
    public static IpAddress of(byte[] bytes) {
        long high = 0;
        long low = 0;
        for (int i = 0; i < bytes.length; i++) {
            high = (high << 8) | (low >>> 56);
            low = (low << 8) | (bytes[i] & 0xff);
        }
        return new IpAddress(bytes.length == 16, high, low);
    }

    /// 4 or 16 bytes in network order.
    public byte[] bytes() {
        byte[] bytes = new byte[16];
        for (int i = 0; i < 8; i++) {
            bytes[i] = (byte) (high >>> (56 - 8 * i));
            bytes[8 + i] = (byte) (low >>> (56 - 8 * i));
        }
        return v6 ? bytes : Arrays.copyOfRange(bytes, 12, 16);
    }

    /// 32 or 128.
    public int bits() {
        return v6 ? 128 : 32;
    }

    /// The address `offset` further on.
    public IpAddress plus(long offset) {
        long sum = low + offset;
        return new IpAddress(v6, high + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0), sum);
    }

    /// The first address of the block of `prefixLength` leading bits that this address lies in.
    public IpAddress network(int prefixLength) {
        int hostBits = bits() - prefixLength;
        long highMask = hostBits <= 64 ? -1 : hostBits == 128 ? 0 : -1L << (hostBits - 64);
        long lowMask = hostBits >= 64 ? 0 : -1L << hostBits;
        return new IpAddress(v6, high & highMask, low & lowMask);
    }

    @Override
    public int compareTo(IpAddress other) {
        int families = Boolean.compare(v6, other.v6);
        int highs = families != 0 ? families : Long.compareUnsigned(high, other.high);
        return highs != 0 ? highs : Long.compareUnsigned(low, other.low);
    }

    @Override
    public String toString() {
        try {
            return InetAddress.getByAddress(bytes()).getHostAddress();
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
