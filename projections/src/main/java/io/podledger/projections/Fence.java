package io.podledger.projections;

/// A DEL that came before its ADD: until the fence ends, that ADD is refused.
record Fence(Attachment attachment, long untilMillis) implements Hashed {
    @Override
    public long hash() {
        return StateHash.with(StateHash.with(StateHash.FENCE, attachment), untilMillis);
    }
}
