package io.podledger.projections;

import java.util.Optional;

/// The ledger as deciding sees it: to read, not to change.
public interface LedgerView {
    /// What the attachment holds, if it holds anything.
    Optional<Lease> lease(Attachment attachment);
}
