package io.podledger.projections;

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

    /// The block as `10.99.1.64/27`.
    public String cidr() {
        return first + "/" + prefixLength;
    }

    /// How many addresses of the block are used.
    public int size() {
        int hostBits = first.bits() - prefixLength;
        return hostBits >= 16 ? ADDRESSES_MAX : 1 << hostBits;
    }
}
