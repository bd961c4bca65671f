package io.podledger.projections;

import java.util.Arrays;

/// An IPv4 or IPv6 address: 128 bits, and which family they are of. IPv4 lives in the low 32 bits.
public record IpAddress(boolean v6, long high, long low) implements Comparable<IpAddress> {
    /// @throws IllegalArgumentException if an IPv4 address has more than 32 bits
    public IpAddress {
        if (!v6 && (high != 0 || low >>> 32 != 0)) {
            throw new IllegalArgumentException("an IPv4 address has 32 bits");
        }
    }

    /// @throws IllegalArgumentException if the text is not a literal address
    public static IpAddress parse(String text) {
        return AddressText.parse(text);
    }

    /// @param bytes 4 or 16 bytes in network order
    /// @throws IllegalArgumentException if there are more or fewer
    public static IpAddress of(byte[] bytes) {
        if (bytes.length != 4 && bytes.length != 16) {
            throw new IllegalArgumentException(
                    "an address has 4 or 16 bytes and not " + bytes.length);
        }
        long high = 0;
        long low = 0;
        for (byte b : bytes) {
            high = (high << 8) | (low >>> 56);
            low = (low << 8) | (b & 0xff);
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

    /// The address `offset` further on; at the end of the family's space the count starts anew.
    ///
    /// @param offset 0 or more
    public IpAddress plus(long offset) {
        long sum = low + offset;
        if (!v6) {
            return new IpAddress(false, 0, sum & 0xffff_ffffL);
        }
        return new IpAddress(true, high + (Long.compareUnsigned(sum, low) < 0 ? 1 : 0), sum);
    }

    /// The first address of the block of `prefixLength` leading bits that this address lies in.
    public IpAddress network(int prefixLength) {
        int hostBits = bits() - prefixLength;
        long highMask = hostBits <= 64 ? -1 : hostBits == 128 ? 0 : -1L << (hostBits - 64);
        long lowMask = hostBits >= 64 ? 0 : -1L << hostBits;
        return new IpAddress(v6, high & highMask, low & lowMask);
    }

    // Addresses are keys on the way of every fact, and what a record gets by itself is slower.
    // Neighbours in a range are neighbours in a hash map: a pool is gone through in its order, and
    // so is the memory that it lies in.

    @Override
    public boolean equals(Object other) {
        return other instanceof IpAddress(boolean otherV6, long otherHigh, long otherLow)
                && low == otherLow
                && high == otherHigh
                && v6 == otherV6;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(high) * 31 + Long.hashCode(low);
    }

    @Override
    public int compareTo(IpAddress other) {
        int families = Boolean.compare(v6, other.v6);
        int highs = families != 0 ? families : Long.compareUnsigned(high, other.high);
        return highs != 0 ? highs : Long.compareUnsigned(low, other.low);
    }

    /// `10.99.1.64` or, in the form of RFC 5952, `fd00::1`.
    @Override
    public String toString() {
        return AddressText.of(this);
    }
}
