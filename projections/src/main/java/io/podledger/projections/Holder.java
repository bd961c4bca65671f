package io.podledger.projections;

/// A lease and how it stands: a copy that may leave the writer's thread.
///
/// @param order number of the newest order to wire or unwire it; completions of older orders are
///   late
/// @param addedMillis ledger time of its reservation, or of the newest change of its namespace
/// @param runtimeManaged its ADD carried K8S_POD_INFRA_CONTAINER_ID
/// @param netnsPath the namespace's path as the runtime gave it, for people
/// @param cause why it is being released, meaningful in [LeaseState#RELEASING]
public record Holder(
        Lease lease,
        LeaseState state,
        long order,
        long addedMillis,
        boolean runtimeManaged,
        String netnsPath,
        ReleaseCause cause) {}
