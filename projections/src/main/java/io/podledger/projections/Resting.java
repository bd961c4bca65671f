package io.podledger.projections;

/// An address that was given back.
///
/// @param freeMillis ledger time from which it may be given again
/// @param number orders what came back at one time
public record Resting(IpAddress address, long freeMillis, long number)
        implements Use, Comparable<Resting> {
    /// What is free longest comes first.
    @Override
    public int compareTo(Resting other) {
        int times = Long.compare(freeMillis, other.freeMillis);
        int numbers = times != 0 ? times : Long.compare(number, other.number);
        return numbers != 0 ? numbers : address.compareTo(other.address);
    }

    @Override
    public long hash() {
        long hash = StateHash.with(StateHash.RESTING, address);
        return StateHash.with(StateHash.with(hash, freeMillis), number);
    }
}
