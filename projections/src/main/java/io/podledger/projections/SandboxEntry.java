package io.podledger.projections;

/// A sandbox as the ledger keeps it.
///
/// @param number the place of its first appearance in the order of everything that is numbered
record SandboxEntry(Sandbox sandbox, long number) implements Hashed {
    @Override
    public long hash() {
        long hash = StateHash.with(StateHash.with(StateHash.SANDBOX, sandbox.id()), number);
        Pod pod = sandbox.pod();
        hash = StateHash.with(StateHash.with(hash, pod.namespace()), pod.name());
        hash = StateHash.with(StateHash.with(hash, pod.uid()), sandbox.attempt());
        hash = StateHash.with(hash, WireEnums.condition(sandbox.state()).getNumber());
        return StateHash.with(hash, sandbox.createdNanos());
    }
}
