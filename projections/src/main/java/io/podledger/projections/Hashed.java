package io.podledger.projections;

/// An entry of the ledger's canonical form.
interface Hashed {
    /// The entry's part of the state hash.
    long hash();
}
