package io.podledger.ipamd.cni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// This process's open files.
final class Descriptors {
    private static final long SECONDS_MAX = 20;

    private Descriptors() {}

    static void untilNoneLeadsTo(String prefix) throws IOException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (leadingTo(prefix) > 0) {
            assertThat(System.nanoTime()).as("open " + prefix).isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static int leadingTo(String prefix) throws IOException {
        int count = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path file : files) {
                count += target(file).startsWith(prefix) ? 1 : 0;
            }
        }
        return count;
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException _) {
            return "";
        }
    }
}
