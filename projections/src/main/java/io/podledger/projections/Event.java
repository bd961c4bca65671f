package io.podledger.projections;

import java.util.List;
import java.util.Optional;

/// A fact. The ledger is what the facts so far add up to; nothing else changes it.
public sealed interface Event {

    // Process

    /// @param bootMillis CLOCK_BOOTTIME in ms at the moment of the fact's own ledger time
    record DaemonStarted(
            String version, String bootId, long bootMillis, String machineId, String configDigest)
            implements Event {}

    record DaemonStopped(String reason) implements Event {}

    // Requests

    /// @param runtimeManaged the ADD carried K8S_POD_INFRA_CONTAINER_ID
    /// @param hostDevice our end of the veth pair, empty in [Mode#IPAM]
    record AddressReserved(
            Attachment attachment,
            Optional<Pod> pod,
            boolean runtimeManaged,
            Mode mode,
            List<Holding> holdings,
            NamespaceIdentity namespace,
            String netnsPath,
            String hostDevice,
            int mtu)
            implements Event {}

    /// A repeated ADD came with another namespace: it is wired anew.
    record NamespaceReplaced(Attachment attachment, NamespaceIdentity namespace, String netnsPath)
            implements Event {}

    record AddRefused(Attachment attachment, Optional<Pod> pod, Refusal reason, String detail)
            implements Event {}

    record Wired(Attachment attachment) implements Event {}

    /// Wiring failed for good: what was made is taken down and the address released.
    record WiringFailed(Attachment attachment, String reason) implements Event {}

    /// @param owner the newer attachment of the same pod, for [DelVerdict#STALE]
    record DelReceived(
            Attachment attachment,
            Optional<Pod> pod,
            DelVerdict verdict,
            Optional<Attachment> owner,
            boolean spooled)
            implements Event {}

    /// @param coolingUntilMillis ledger time before which the addresses are given to nobody
    record Released(
            Attachment attachment, ReleaseCause cause, String evidence, long coolingUntilMillis)
            implements Event {}

    // Doubts

    /// The kernel shows something with our mark that the ledger does not explain.
    ///
    /// @param hostDevice the device's name, which is derived from the attachment it was made for
    record AttachmentSuspected(String hostDevice, List<IpAddress> addresses, String why)
            implements Event {}

    record SuspicionCleared(String hostDevice, String evidence, long coolingUntilMillis)
            implements Event {}

    // Pool

    record RangeAdded(Range range) implements Event {}

    /// Nothing more is given from the range; what is held stays held until it is released.
    record RangeRemoved(IpAddress first, int prefixLength) implements Event {}

    // Proof

    record StateHashed(int canonicalVersion, long hash) implements Event {}
}
