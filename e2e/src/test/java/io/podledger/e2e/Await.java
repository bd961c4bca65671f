package io.podledger.e2e;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Waits for something to become true, within a bound.
final class Await {
    private static final Duration LOOK_EVERY = Duration.ofMillis(10);

    private Await() {}

    static void until(Duration bound, String what, BooleanSupplier condition) {
        until(bound, () -> what, condition);
    }

    /// @param what told of a failure, as it is then
    static void until(Duration bound, Supplier<String> what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + bound.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("not within " + bound + ": " + what.get());
            }
            LockSupport.parkNanos(LOOK_EVERY.toNanos());
        }
    }
}
