package io.podledger.projections;

/// An active range, and how far into it addresses were ever used.
final class Block implements Hashed {
    private final Range range;
    private final long number;
    private int used;
    private int frontier;

    /// @param number the range's place in the order in which ranges were added
    Block(Range range, long number) {
        this.range = range;
        this.number = number;
    }

    Range range() {
        return range;
    }

    long number() {
        return number;
    }

    /// Counts one more address in use or at rest.
    void use() {
        used++;
    }

    int neverUsed() {
        return range.size() - used;
    }

    boolean exhausted() {
        return frontier == range.size();
    }

    IpAddress frontier() {
        return range.first().plus(frontier);
    }

    void moveFrontier() {
        frontier++;
    }

    @Override
    public long hash() {
        long hash = StateHash.with(StateHash.RANGE, range.first());
        hash = StateHash.with(StateHash.with(hash, range.prefixLength()), range.uplink());
        return StateHash.with(StateHash.with(hash, range.table()), number);
    }
}
