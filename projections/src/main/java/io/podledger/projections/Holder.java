package io.podledger.projections;

import java.util.Optional;

/// A lease and how it stands: a copy that may leave the writer's thread.
///
/// @param order number of the newest order to wire or unwire it; completions of older orders are
///   late
/// @param addedMillis ledger time of its reservation, of the newest change of its namespace, or of
///   its newest ADD
/// @param runtimeManaged its ADD carried K8S_POD_INFRA_CONTAINER_ID
/// @param netnsPath the namespace's path as the runtime gave it, for people
/// @param cause why it is being released, meaningful in [LeaseState#RELEASING]
/// @param missed since when the runtime's lists lack its sandbox, if they do
public record Holder(
        Lease lease,
        LeaseState state,
        long order,
        long addedMillis,
        boolean runtimeManaged,
        String netnsPath,
        ReleaseCause cause,
        Optional<Missed> missed) {}
