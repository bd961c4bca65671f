package io.podledger.projections;

import java.util.List;
import java.util.Optional;

/// What an attachment holds: a copy that may leave the writer's thread.
///
/// @param holdings its addresses, those of the shared thing that it owns among them; none where
///   another sandbox of the pod owns it
public record Lease(
        Attachment attachment,
        Optional<Pod> pod,
        Mode mode,
        List<Holding> holdings,
        NamespaceIdentity namespace,
        String hostDevice,
        int mtu,
        SharedThing shared) {
    /// Without a share in anything.
    public Lease(
            Attachment attachment,
            Optional<Pod> pod,
            Mode mode,
            List<Holding> holdings,
            NamespaceIdentity namespace,
            String hostDevice,
            int mtu) {
        this(attachment, pod, mode, holdings, namespace, hostDevice, mtu, SharedThing.NONE);
    }
}
