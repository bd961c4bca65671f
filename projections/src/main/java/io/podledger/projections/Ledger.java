package io.podledger.projections;

import java.util.List;
import java.util.Optional;

/// Who holds which address: what the facts so far add up to.
public final class Ledger implements LedgerView {
    /// Takes one fact. Checks everything before it changes anything.
    ///
    /// @param ledgerMillis the fact's ledger time
    /// @throws IllegalStateException if the fact cannot follow from the state
    public void apply(long ledgerMillis, Event event) {}

    /// The ledger that a snapshot holds.
    public static Ledger restore(List<byte[]> chunks) {
        return new Ledger();
    }

    /// Everything the ledger knows, in chunks of at most 1 MiB.
    public List<byte[]> snapshot() {
        return List.of();
    }

    /// The state hash: an incremental sum of entry hashes over the canonical form.
    public long hash() {
        return 0;
    }

    @Override
    public Optional<Lease> lease(Attachment attachment) {
        return Optional.empty();
    }
}
