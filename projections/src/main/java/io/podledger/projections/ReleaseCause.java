package io.podledger.projections;

/// Why addresses went back.
public enum ReleaseCause {
    DEL,
    WIRING_FAILED,
    /// An ADD that was never answered, with nothing left of it in the kernel.
    ABANDONED,
    /// Its sandbox disappeared from the runtime, and no DEL came.
    SWEPT
}
