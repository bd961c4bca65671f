package io.podledger.ipamd.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LedgerClockTest {
    private final AtomicLong bootMillis = new AtomicLong(5_000);

    @Test
    void withinABootTheTimeOfAnAbsentDaemonCounts() {
        LedgerClock clock = new LedgerClock(bootMillis::get, 1_000, OptionalLong.of(-3_000));

        assertThat(clock.now()).isEqualTo(2_000);
        bootMillis.addAndGet(70);
        assertThat(clock.now()).isEqualTo(2_070);
    }

    @Test
    void afterARebootItGoesOnFromTheLastRecord() {
        LedgerClock clock = new LedgerClock(bootMillis::get, 1_000_000, OptionalLong.empty());

        assertThat(clock.now()).isEqualTo(1_000_001);
        bootMillis.addAndGet(9);
        assertThat(clock.now()).isEqualTo(1_000_010);
    }

    @Test
    void itNeverGoesBack() {
        LedgerClock clock = new LedgerClock(bootMillis::get, 9_000, OptionalLong.of(0));

        assertThat(clock.now()).isEqualTo(9_000);
        bootMillis.set(10_000);
        assertThat(clock.now()).isEqualTo(10_000);
        bootMillis.set(4_000);
        assertThat(clock.now()).isEqualTo(10_000);
    }

    @Test
    void theKernelsClockMoves() {
        assertThat(BootClock.millis()).isPositive().isLessThanOrEqualTo(BootClock.millis());
    }
}
