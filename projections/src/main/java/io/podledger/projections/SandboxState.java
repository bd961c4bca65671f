package io.podledger.projections;

/// How the runtime says that a sandbox stands.
public enum SandboxState {
    READY,

    /// Stopped, or never started. It keeps its addresses until its DEL or its disappearance.
    NOT_READY
}
