package io.podledger.projections;

/// How the runtime came to say something of a sandbox.
public enum SandboxSource {
    /// It stood in a list of all sandboxes, or stood no longer.
    LIST,

    /// The runtime was asked for this one.
    STATUS
}
