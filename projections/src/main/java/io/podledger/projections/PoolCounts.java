package io.podledger.projections;

/// How many addresses are in which state. Every address is in one.
///
/// @param total the ranges' addresses, and those that are still in someone's hands, withheld or
///   cooling though their range is gone
public record PoolCounts(
        int total, int free, int reserved, int wired, int releasing, int cooling, int suspect) {
    /// Addresses that an attachment holds.
    public int held() {
        return reserved + wired + releasing;
    }

    PoolCounts plus(PoolCounts other) {
        return new PoolCounts(
                total + other.total,
                free + other.free,
                reserved + other.reserved,
                wired + other.wired,
                releasing + other.releasing,
                cooling + other.cooling,
                suspect + other.suspect);
    }
}
