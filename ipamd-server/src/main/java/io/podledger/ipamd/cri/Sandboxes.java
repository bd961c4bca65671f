package io.podledger.ipamd.cri;

import io.podledger.ipamd.cri.wire.PodSandbox;
import io.podledger.ipamd.cri.wire.PodSandboxMetadata;
import io.podledger.ipamd.cri.wire.PodSandboxState;
import io.podledger.ipamd.cri.wire.PodSandboxStatus;
import io.podledger.projections.Pod;
import io.podledger.projections.Sandbox;
import io.podledger.projections.SandboxState;
import java.util.Optional;

/// The runtime's messages as sandboxes. One without an ID, without a pod's name, or with names that
/// are longer than any can be is nothing that can be reasoned about.
final class Sandboxes {
    private Sandboxes() {}

    static Optional<Sandbox> of(PodSandbox item) {
        return of(item.getId(), item.getMetadata(), item.getState(), item.getCreatedAt());
    }

    static Optional<Sandbox> of(PodSandboxStatus status) {
        return of(status.getId(), status.getMetadata(), status.getState(), status.getCreatedAt());
    }

    private static Optional<Sandbox> of(
            String id, PodSandboxMetadata metadata, PodSandboxState state, long createdNanos) {
        if (metadata.getNamespace().isEmpty() || metadata.getName().isEmpty()) {
            return Optional.empty();
        }
        try {
            Pod pod = new Pod(metadata.getNamespace(), metadata.getName(), metadata.getUid());
            return Optional.of(
                    new Sandbox(
                            id,
                            pod,
                            Integer.toUnsignedLong(metadata.getAttempt()),
                            state(state),
                            Math.max(createdNanos, 0)));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    /// What a later version may say is not ready either.
    private static SandboxState state(PodSandboxState state) {
        return switch (state) {
            case SANDBOX_READY -> SandboxState.READY;
            case SANDBOX_NOTREADY, UNRECOGNIZED -> SandboxState.NOT_READY;
        };
    }
}
