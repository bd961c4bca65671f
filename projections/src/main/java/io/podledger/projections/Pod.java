package io.podledger.projections;

/// A pod by name. A static pod's UID differs from its mirror's, so the UID only stands beside.
///
/// @param uid may be empty
public record Pod(String namespace, String name, String uid) {}
