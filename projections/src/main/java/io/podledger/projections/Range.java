package io.podledger.projections;

import java.util.List;
import java.util.Optional;

/// A block of pool addresses, all of one family.
///
/// @param first the block's first address; all of the block is handed out, network and broadcast
///   too
/// @param prefixLength 1 to 32 or 1 to 128
/// @param uplink host interface by which its pods leave, or empty
/// @param table routing table of that interface, 0 where there is none
public record Range(IpAddress first, int prefixLength, String uplink, int table) {
    /// At most so many addresses of one range are ever used: a /64 is not enumerated.
    public static final int ADDRESSES_MAX = 65_536;

    /// At most so many ranges make a pool.
    public static final int POOL_RANGES_MAX = 1_024;

    /// At most so many addresses make a pool: each that was ever used costs about 200 bytes.
    public static final int POOL_ADDRESSES_MAX = 1_048_576;

    /// @throws IllegalArgumentException if the block is not one
    public Range {
        if (prefixLength < 1 || prefixLength > first.bits()) {
            throw new IllegalArgumentException(
                    first + "/" + prefixLength + ": the prefix length is 1 to " + first.bits());
        }
        if (!first.network(prefixLength).equals(first)) {
            throw new IllegalArgumentException(
                    "%s/%d does not start its block: write %s/%d"
                            .formatted(
                                    first,
                                    prefixLength,
                                    first.network(prefixLength),
                                    prefixLength));
        }
        Texts.bounded("the uplink's name", uplink, Attachment.IF_NAME_BYTES_MAX);
        if (table < 0) {
            throw new IllegalArgumentException(
                    first + "/" + prefixLength + ": table " + table + " is below 0");
        }
    }

    /// What keeps these ranges from being a pool, for people, if anything does.
    public static Optional<String> fault(List<Range> ranges) {
        long addresses = ranges.stream().mapToLong(Range::size).sum();
        if (ranges.size() > POOL_RANGES_MAX || addresses > POOL_ADDRESSES_MAX) {
            return Optional.of(
                    "%d ranges with %d addresses: a pool has at most %d ranges and %d addresses"
                            .formatted(
                                    ranges.size(), addresses, POOL_RANGES_MAX, POOL_ADDRESSES_MAX));
        }
        List<Range> sorted = ranges.stream().sorted((a, b) -> a.first.compareTo(b.first)).toList();
        for (int i = 1; i < sorted.size(); i++) {
            Range before = sorted.get(i - 1);
            Range after = sorted.get(i);
            if (before.overlaps(after)) {
                return Optional.of(
                        "ranges "
                                + before.cidr()
                                + " and "
                                + after.cidr()
                                + " overlap: keep one of them");
            }
        }
        return Optional.empty();
    }

    /// The block as `10.99.1.64/27`.
    public String cidr() {
        return first + "/" + prefixLength;
    }

    /// How many addresses of the block are used.
    public int size() {
        int hostBits = first.bits() - prefixLength;
        return hostBits >= 16 ? ADDRESSES_MAX : 1 << hostBits;
    }

    /// Whether the address is one of those that are used.
    public boolean contains(IpAddress address) {
        return inBlock(address) && offset(address) < size();
    }

    /// How far the address is from the block's first.
    ///
    /// @param address one that the range contains
    public int offset(IpAddress address) {
        long offset = address.low() - first.low();
        return address.high() != first.high() || offset < 0 || offset >= ADDRESSES_MAX
                ? ADDRESSES_MAX
                : (int) offset;
    }

    /// Whether the blocks have an address in common, used or not.
    public boolean overlaps(Range other) {
        return inBlock(other.first) || other.inBlock(first);
    }

    private boolean inBlock(IpAddress address) {
        return address.v6() == first.v6() && address.network(prefixLength).equals(first);
    }
}
