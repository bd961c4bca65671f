package io.podledger.projections;

/// What a DEL found.
public enum DelVerdict {
    /// The attachment was held: it is being taken down.
    RELEASING,
    /// It was released, or is being released, by an earlier DEL.
    REPEATED,
    /// No ADD was ever seen: a late one is refused for a while.
    UNKNOWN,
    /// A newer sandbox owns the pod. What is the old sandbox's own is taken down, nothing else.
    STALE
}
