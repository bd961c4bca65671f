package io.podledger.ipamd.host;

import java.util.OptionalLong;
import java.util.function.LongSupplier;

/// Ledger time in ms: follows CLOCK_BOOTTIME within a boot, goes on from the last record after a
/// reboot, and never goes back. Used by the writer thread alone.
public final class LedgerClock {
    private final LongSupplier bootMillis;
    private final long offset;
    private long latest;

    /// @param bootMillis CLOCK_BOOTTIME in ms
    /// @param latest ledger time of the newest record
    /// @param offset ledger time minus boot time, where an earlier process of this boot fixed it
    public LedgerClock(LongSupplier bootMillis, long latest, OptionalLong offset) {
        this.bootMillis = bootMillis;
        this.latest = latest;
        this.offset = offset.orElseGet(() -> latest + 1 - bootMillis.getAsLong());
    }

    public long now() {
        latest = Math.max(latest, bootMillis.getAsLong() + offset);
        return latest;
    }
}
