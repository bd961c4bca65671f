package io.podledger.projections;

import java.util.Comparator;

/// An address that was given back.
///
/// @param freeMillis ledger time from which it may be given again
/// @param number orders what came back at one time
public record Resting(IpAddress address, long freeMillis, long number)
        implements Use, Comparable<Resting> {
    private static final Comparator<Resting> LONGEST_FREE_FIRST =
            Comparator.comparingLong(Resting::freeMillis)
                    .thenComparingLong(Resting::number)
                    .thenComparing(Resting::address);

    @Override
    public int compareTo(Resting other) {
        return LONGEST_FREE_FIRST.compare(this, other);
    }

    @Override
    public long hash() {
        long hash = StateHash.with(StateHash.RESTING, address);
        return StateHash.with(StateHash.with(hash, freeMillis), number);
    }
}
