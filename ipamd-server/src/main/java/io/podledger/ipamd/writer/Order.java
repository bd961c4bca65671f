package io.podledger.ipamd.writer;

import io.podledger.ipamd.wiring.HeldNamespace;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A piece of work for the kernel and those who wait for it. Belongs to the writer thread, but for
/// [#task], which the wiring threads read.
final class Order {
    /// What is to be done.
    sealed interface Task {
        record Wire(Lease lease, HeldNamespace namespace) implements Task {}

        record Unwire(Lease lease) implements Task {}

        record Remove(String hostDevice, List<IpAddress> addresses) implements Task {}
    }

    private final Task task;
    private final long number;
    private final List<Caller> callers = new ArrayList<>();
    private Optional<Order> next = Optional.empty();
    private int attempts;
    private long dueNanos;

    /// @param number the ledger's number for it, 0 for a [Task.Remove]
    Order(Task task, long number) {
        this.task = task;
        this.number = number;
    }

    /// One order at a time for a key: the host device, which is derived from the attachment.
    String key() {
        return switch (task) {
            case Task.Wire wire -> wire.lease().hostDevice();
            case Task.Unwire unwire -> unwire.lease().hostDevice();
            case Task.Remove remove -> remove.hostDevice();
        };
    }

    Task task() {
        return task;
    }

    long number() {
        return number;
    }

    List<Caller> callers() {
        return callers;
    }

    boolean sameAs(Order other) {
        return number == other.number && task.getClass() == other.task.getClass();
    }

    Optional<Order> next() {
        return next;
    }

    void next(Order order) {
        next = Optional.of(order);
    }

    int attempts() {
        return attempts;
    }

    /// The next attempt is due at this reading of [System#nanoTime]; 0 while one is under way.
    long dueNanos() {
        return dueNanos;
    }

    void started() {
        dueNanos = 0;
    }

    void retryAt(long nanos) {
        attempts++;
        dueNanos = nanos;
    }

    /// Answers all, and lets their namespaces go.
    void answer(Answer answer) {
        callers.forEach(caller -> caller.answer(answer));
        callers.forEach(Caller::release);
        callers.clear();
    }

    /// Answers those who have waited for so long, and lets them go.
    ///
    /// @return ns until the next one has, [Long#MAX_VALUE] if none is left
    long dismiss(long patienceNanos, long now, Answer answer) {
        long wait = Long.MAX_VALUE;
        for (Caller caller : List.copyOf(callers)) {
            long left = patienceNanos - caller.waitedNanos(now);
            if (left <= 0) {
                callers.remove(caller);
                caller.answer(answer);
                caller.release();
            } else {
                wait = Math.min(wait, left);
            }
        }
        return wait;
    }
}
