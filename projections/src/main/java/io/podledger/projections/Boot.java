package io.podledger.projections;

/// The newest start of the daemon, and the boot that it was in.
///
/// @param start the fact of the newest start
/// @param sinceMillis ledger time of the boot's first start
/// @param offsetMillis ledger time less CLOCK_BOOTTIME, which is the same throughout a boot
public record Boot(Event.DaemonStarted start, long sinceMillis, long offsetMillis)
        implements Hashed {
    /// Before the first start.
    static final Boot NONE = new Boot(new Event.DaemonStarted("", "", 0, "", ""), 0, 0);

    public String id() {
        return start.bootId();
    }

    @Override
    public long hash() {
        long hash = StateHash.with(StateHash.HEAD, start.version());
        hash = StateHash.with(StateHash.with(hash, start.bootId()), start.bootMillis());
        hash = StateHash.with(StateHash.with(hash, start.machineId()), start.configDigest());
        return StateHash.with(StateHash.with(hash, sinceMillis), offsetMillis);
    }
}
