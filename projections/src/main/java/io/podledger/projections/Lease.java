package io.podledger.projections;

import java.util.List;
import java.util.Optional;

/// What an attachment holds: a copy that may leave the writer's thread.
public record Lease(
        Attachment attachment,
        Optional<Pod> pod,
        Mode mode,
        List<Holding> holdings,
        NamespaceIdentity namespace,
        String hostDevice,
        int mtu) {}
