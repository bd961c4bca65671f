package io.podledger.projections;

/// An attachment that was released: a DEL for it is a repeated one.
///
/// @param number the place of its reservation in the order of reservations
record Tombstone(Attachment attachment, String hostDevice, long releasedMillis, long number)
        implements Hashed {
    @Override
    public long hash() {
        long hash = StateHash.with(StateHash.TOMBSTONE, attachment);
        hash = StateHash.with(StateHash.with(hash, hostDevice), releasedMillis);
        return StateHash.with(hash, number);
    }
}
