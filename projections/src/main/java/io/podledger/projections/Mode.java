package io.podledger.projections;

/// Who makes the interface.
public enum Mode {
    /// We do: a veth pair and policy routing.
    ROUTED,
    /// Another plugin does and asks us for addresses alone.
    IPAM
}
