package io.podledger.ipamd.host;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/// CLOCK_BOOTTIME: ms since the kernel booted, suspend included. Nobody can set it, and unlike the
/// clock behind [System#nanoTime] it means the same to the shim and to the next process.
@SuppressWarnings("restricted")
public final class BootClock {
    /// CLOCK_BOOTTIME of linux/time.h.
    private static final int CLOCK_BOOTTIME = 7;

    private static final MethodHandle CLOCK_GETTIME =
            Linker.nativeLinker()
                    .downcallHandle(
                            Linker.nativeLinker().defaultLookup().findOrThrow("clock_gettime"),
                            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS));

    private BootClock() {}

    public static long millis() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment timespec = arena.allocate(16, 8);
            int result = (int) CLOCK_GETTIME.invokeExact(CLOCK_BOOTTIME, timespec);
            if (result != 0) {
                throw new IllegalStateException("clock_gettime(CLOCK_BOOTTIME) answered " + result);
            }
            return timespec.get(JAVA_LONG, 0) * 1000 + timespec.get(JAVA_LONG, 8) / 1_000_000;
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("clock_gettime cannot be called", e);
        }
    }
}
