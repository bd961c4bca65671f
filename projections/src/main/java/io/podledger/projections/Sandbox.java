package io.podledger.projections;

/// A pod's sandbox as the container runtime shows it.
///
/// @param id the CNI container ID, at most 1,024 bytes
/// @param pod by name; a static pod's UID differs from its mirror's and only stands beside
/// @param attempt 0 for a pod's first sandbox, and one more for each that replaces another
/// @param createdNanos wall time in ns since 1970 by the runtime's clock, 0 where it knows none
public record Sandbox(String id, Pod pod, long attempt, SandboxState state, long createdNanos) {
    /// @throws IllegalArgumentException if there is no id, or a part is longer than its bound
    public Sandbox {
        Texts.bounded("the sandbox's ID", id, Texts.NAME_BYTES_MAX);
        if (id.isEmpty()) {
            throw new IllegalArgumentException("a sandbox without an ID");
        }
    }
}
