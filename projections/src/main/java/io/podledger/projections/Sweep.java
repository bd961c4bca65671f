package io.podledger.projections;

/// When an attachment whose sandbox has disappeared is taken down without a DEL.
///
/// @param graceMillis two lists without it lie at least so far apart, in ms of ledger time
/// @param floorMillis so long after its last ADD it is left alone whatever the lists say: a sandbox
///   is listed only when it has started, and kubelet gives it 4 min
public record Sweep(long graceMillis, long floorMillis) {
    public static final Sweep DEFAULTS = new Sweep(60_000, 300_000);
}
