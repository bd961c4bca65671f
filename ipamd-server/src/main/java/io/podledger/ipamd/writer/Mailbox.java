package io.podledger.ipamd.writer;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The writer's two queues. Completions never wait behind calls, and are bounded by the orders
/// under way; calls are bounded by those who may wait at once. Calls stay in the box until it is
/// opened.
final class Mailbox {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Queue<Job> calls = new ArrayDeque<>();
    private final Queue<Job> completions = new ArrayDeque<>();
    private boolean open;

    void call(Job job) {
        put(calls, job);
    }

    void completion(Job job) {
        put(completions, job);
    }

    void open() {
        lock.lock();
        try {
            open = true;
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    private void put(Queue<Job> queue, Job job) {
        lock.lock();
        try {
            queue.add(job);
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    /// Moves up to `max` jobs into `batch`, waiting up to `waitNanos` for the first one.
    void drain(List<Job> batch, int max, long waitNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = waitNanos;
            while (left > 0 && completions.isEmpty() && (!open || calls.isEmpty())) {
                left = filled.awaitNanos(left);
            }
            move(completions, batch, max);
            if (open) {
                move(calls, batch, max);
            }
        } finally {
            lock.unlock();
        }
    }

    private static void move(Queue<Job> from, List<Job> to, int max) {
        while (to.size() < max && !from.isEmpty()) {
            to.add(from.remove());
        }
    }
}
