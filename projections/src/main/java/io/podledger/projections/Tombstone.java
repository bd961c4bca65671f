package io.podledger.projections;

/// An attachment that was released: a DEL for it is a repeated one.
record Tombstone(Attachment attachment, String hostDevice, long releasedMillis) implements Hashed {
    @Override
    public long hash() {
        long hash = StateHash.with(StateHash.TOMBSTONE, attachment);
        return StateHash.with(StateHash.with(hash, hostDevice), releasedMillis);
    }
}
