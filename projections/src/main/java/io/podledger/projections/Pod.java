package io.podledger.projections;

/// A pod by name. A static pod's UID differs from its mirror's, so the UID only stands beside.
///
/// @param namespace at most 1,024 bytes, as are the others
/// @param uid may be empty
public record Pod(String namespace, String name, String uid) {
    /// @throws IllegalArgumentException if a part is longer than its bound
    public Pod {
        Texts.bounded("the pod's namespace", namespace, Texts.NAME_BYTES_MAX);
        Texts.bounded("the pod's name", name, Texts.NAME_BYTES_MAX);
        Texts.bounded("the pod's UID", uid, Texts.NAME_BYTES_MAX);
    }
}
