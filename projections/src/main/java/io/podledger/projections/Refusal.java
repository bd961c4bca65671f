package io.podledger.projections;

/// Why an ADD got nothing.
public enum Refusal {
    POOL_EMPTY,
    /// A DEL for the attachment came before this ADD.
    FENCED,
    /// The attachment is being taken down: try again when that is done.
    RELEASING,
    /// The ledger is at its bound of attachments.
    LEDGER_FULL,
    /// The attachment exists with another mode.
    MODE_CHANGED
}
