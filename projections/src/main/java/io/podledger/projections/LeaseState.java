package io.podledger.projections;

/// How far an attachment has come.
public enum LeaseState {
    /// It has its addresses; the kernel may have anything from nothing to all of its wiring.
    RESERVED,
    /// It is in use. In [Mode#IPAM] it is so from the start.
    WIRED,
    /// It is being taken down, and keeps its addresses until nothing of it is left.
    RELEASING
}
