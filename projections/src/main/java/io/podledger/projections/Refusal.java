package io.podledger.projections;

/// Why a command got nothing. All but [#POOL_INVALID] are of an ADD.
public enum Refusal {
    POOL_EMPTY,
    /// A DEL for the attachment came before this ADD.
    FENCED,
    /// The attachment is being taken down: try again when that is done.
    RELEASING,
    /// The ledger is at its bound of attachments.
    LEDGER_FULL,
    /// The attachment exists with another mode.
    MODE_CHANGED,
    /// A device of forgotten history stands where the attachment's own would be: DEL first.
    SUSPECTED,
    /// The attachment stands and keeps what it has, but what is wrong with its wiring could not be
    /// mended. Nothing is taken down.
    NOT_REPAIRED,
    /// A newer sandbox of the pod has taken over what this one shared with it.
    NOT_OWNER,
    /// The ranges of a start do not make a pool.
    POOL_INVALID
}
