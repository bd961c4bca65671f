package io.podledger.ipamd.writer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// The writer's two queues. Completions never wait behind calls, and are bounded by the orders
/// under way; calls are bounded by those who may wait at once. Calls stay in the box until it is
/// opened. After [#close] nothing is taken in.
final class Mailbox {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition filled = lock.newCondition();
    private final Queue<Job> calls = new ArrayDeque<>();
    private final Queue<Job> completions = new ArrayDeque<>();
    private boolean open;
    private boolean closed;
    private boolean woken;

    /// @return whether the box took it
    boolean call(Job job) {
        return put(calls, job);
    }

    /// @return whether the box took it
    boolean completion(Job job) {
        return put(completions, job);
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

    /// Ends the wait in [#drain], or in the next one, without a job.
    void wake() {
        lock.lock();
        try {
            woken = true;
            filled.signal();
        } finally {
            lock.unlock();
        }
    }

    /// Whether no job may be drained now.
    boolean isEmpty() {
        lock.lock();
        try {
            return empty();
        } finally {
            lock.unlock();
        }
    }

    /// Takes nothing in from here on.
    ///
    /// @return the jobs that nobody drained
    List<Job> close() {
        lock.lock();
        try {
            closed = true;
            List<Job> left = new ArrayList<>(completions);
            left.addAll(calls);
            completions.clear();
            calls.clear();
            return left;
        } finally {
            lock.unlock();
        }
    }

    private boolean put(Queue<Job> queue, Job job) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            filled.signal();
            return queue.add(job);
        } finally {
            lock.unlock();
        }
    }

    /// Moves up to `max` jobs into `batch`, waiting up to `waitNanos` for the first one.
    void drain(List<Job> batch, int max, long waitNanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = waitNanos;
            while (left > 0 && !woken && empty()) {
                left = filled.awaitNanos(left);
            }
            woken = false;
            move(completions, batch, max);
            if (open) {
                move(calls, batch, max);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean empty() {
        return completions.isEmpty() && (!open || calls.isEmpty());
    }

    private static void move(Queue<Job> from, List<Job> to, int max) {
        while (to.size() < max && !from.isEmpty()) {
            to.add(from.remove());
        }
    }
}
