package io.podledger.benchmarks;

import io.podledger.journal.Journal;
import io.podledger.journal.JournalOptions;
import io.podledger.journal.LogRecord;
import io.podledger.journal.State;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/// The journal and nothing else: one thread appends what others hand in, and syncs once for all
/// that has come meanwhile. What the daemon does more than this is what it costs.
final class GroupCommit {
    private static final int TYPE = 16;
    private static final int BATCH_MAX = 512;

    /// About that of a reservation.
    private static final int PAYLOAD_BYTES = 180;

    private GroupCommit() {}

    static double perSecond(Path folder, int callers, int seconds) throws InterruptedException {
        BlockingQueue<CompletableFuture<Boolean>> queue = new ArrayBlockingQueue<>(4_096);
        AtomicLong committed = new AtomicLong();
        try (Journal journal = Journal.open(folder, JournalOptions.DEFAULTS, new Nothing())) {
            Thread writer = Thread.ofPlatform().daemon().start(() -> write(journal, queue));
            long start = System.nanoTime();
            long until = start + seconds * 1_000_000_000L;
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                threads.add(
                        Thread.ofVirtual()
                                .start(
                                        () -> {
                                            while (System.nanoTime() < until) {
                                                CompletableFuture<Boolean> done =
                                                        new CompletableFuture<>();
                                                queue.add(done);
                                                done.join();
                                                committed.incrementAndGet();
                                            }
                                        }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            double perSecond = committed.get() * 1e9 / (System.nanoTime() - start);
            writer.interrupt();
            writer.join();
            return perSecond;
        }
    }

    private static void write(Journal journal, BlockingQueue<CompletableFuture<Boolean>> queue) {
        byte[] payload = new byte[PAYLOAD_BYTES];
        List<CompletableFuture<Boolean>> batch = new ArrayList<>();
        try {
            while (true) {
                batch.add(queue.take());
                queue.drainTo(batch, BATCH_MAX - 1);
                journal.rollIfDue();
                batch.forEach(_ -> journal.append(TYPE, journal.ledgerMillis(), payload));
                journal.sync();
                batch.forEach(done -> done.complete(true));
                batch.clear();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// A journal's state that is always empty.
    private static final class Nothing implements State {
        @Override
        public void restore(List<byte[]> chunks) {}

        @Override
        public void apply(LogRecord record) {}

        @Override
        public List<byte[]> snapshot() {
            return List.of();
        }
    }
}
