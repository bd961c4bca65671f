package io.podledger.ipamd.writer;

import io.podledger.ipamd.wiring.Wiring;
import io.podledger.ipamd.wiring.WiringException;
import io.podledger.projections.DelVerdict;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The orders under way in the kernel, one at a time for a host device. Belongs to the writer
/// thread; the kernel's part of an order runs on one of a few platform threads, since entering a
/// namespace on a virtual thread would take others along.
final class Orders implements AutoCloseable {
    /// rtnetlink is served under one lock of the kernel: more threads would only wait in it.
    private static final int WIRING_THREADS = 2;

    private static final Duration RETRY_FIRST = Duration.ofMillis(100);
    private static final Duration RETRY_LAST = Duration.ofSeconds(30);

    /// What the kernel has begun ends within this time, or with the process.
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(1);

    private static final Answer TORN_DOWN_LATER = new Answer.Deleted(DelVerdict.RELEASING);
    private static final Logger LOG = LoggerFactory.getLogger(Orders.class);

    private final Wiring wiring;
    private final long delPatienceNanos;
    private final BiConsumer<Order, Optional<String>> completed;
    private final Map<String, Order> running = new HashMap<>();
    private final ExecutorService threads =
            Executors.newFixedThreadPool(
                    WIRING_THREADS, Thread.ofPlatform().name("wiring-", 0).daemon().factory());

    /// @param delPatience a DEL whose teardown still fails is answered after this long
    /// @param completed told on a wiring thread how an order ended: empty where it worked
    Orders(Wiring wiring, Duration delPatience, BiConsumer<Order, Optional<String>> completed) {
        this.wiring = wiring;
        this.delPatienceNanos = delPatience.toNanos();
        this.completed = completed;
    }

    /// Nothing is under way in the kernel. Orders may wait for their next attempt.
    boolean idle() {
        return running.values().stream().allMatch(order -> order.dueNanos() != 0);
    }

    boolean running(String device) {
        return running.containsKey(device);
    }

    /// Begins the order, joins an equal one, or waits behind another for the same device.
    void start(Order order) {
        Order present = running.putIfAbsent(order.key(), order);
        if (present == null) {
            threads.execute(() -> carryOut(order));
        } else if (present.sameAs(order)) {
            join(present, order);
        } else if (present.next().filter(order::sameAs).isPresent()) {
            join(present.next().orElseThrow(), order);
        } else {
            present.next().ifPresent(Orders::supersede);
            present.next(order);
        }
    }

    private static void join(Order order, Order other) {
        order.callers().addAll(other.callers());
    }

    private static void supersede(Order order) {
        order.answer(new Answer.Failed("a later call for the same attachment came before"));
    }

    /// The order has ended for good; whatever waits behind it begins.
    void finish(Order order, Answer answer) {
        order.answer(answer);
        running.remove(order.key());
        order.next().ifPresent(this::start);
    }

    /// The order's attempt failed and it will be tried again, at ever longer intervals.
    void retryLater(Order order, String failure) {
        long delay =
                Math.min(
                        RETRY_LAST.toNanos(),
                        RETRY_FIRST.toNanos() << Math.min(order.attempts(), 16));
        order.retryAt(System.nanoTime() + delay);
        if (Integer.bitCount(order.attempts()) == 1) {
            LOG.warn(
                    "teardown of {}: attempt {} failed: {}",
                    order.key(),
                    order.attempts(),
                    failure);
        }
    }

    /// Begins what is due again and lets those go who waited long enough.
    ///
    /// @return ns until there may be something to do
    long tick(long idleNanos) {
        long now = System.nanoTime();
        long wait = idleNanos;
        for (Order order : running.values()) {
            if (order.dueNanos() != 0) {
                wait = Math.min(wait, retryIfDue(order, now));
            }
            wait = Math.min(wait, dismissImpatient(order, now));
            if (order.next().isPresent()) {
                wait = Math.min(wait, dismissImpatient(order.next().get(), now));
            }
        }
        return Math.max(wait, TimeUnit.MILLISECONDS.toNanos(1));
    }

    private long retryIfDue(Order order, long now) {
        long left = order.dueNanos() - now;
        if (left > 0) {
            return left;
        }
        order.started();
        threads.execute(() -> carryOut(order));
        return Long.MAX_VALUE;
    }

    /// A DEL that fails forever would wedge the pod. Its intent is durable, and the address stays
    /// in `releasing`. An ADD waits for its end, which the wiring bounds.
    private long dismissImpatient(Order order, long now) {
        return switch (order.task()) {
            case Order.Task.Wire _ -> Long.MAX_VALUE;
            case Order.Task.Unwire _, Order.Task.Remove _ ->
                    order.dismiss(delPatienceNanos, now, TORN_DOWN_LATER);
        };
    }

    private void carryOut(Order order) {
        Optional<String> failure = Optional.empty();
        try {
            switch (order.task()) {
                case Order.Task.Wire(var lease, var namespace) ->
                        wiring.wire(lease, namespace.descriptor());
                case Order.Task.Unwire(var lease) -> wiring.unwire(lease);
                case Order.Task.Remove(var device, var addresses) ->
                        wiring.remove(device, addresses);
            }
        } catch (WiringException e) {
            failure = Optional.of(String.valueOf(e.getMessage()));
        } catch (RuntimeException | Error e) {
            LOG.error("wiring of {} ended in an error of the daemon's own", order.key(), e);
            failure = Optional.of("internal error: " + e);
        }
        completed.accept(order, failure);
    }

    /// Waits for the kernel no longer. Whoever still waits is told: a DEL that it will be carried
    /// out, for its intent is durable; an ADD that it has to be asked again.
    @Override
    public void close() {
        threads.shutdownNow();
        boolean ended = ended();
        for (Order order : running.values()) {
            stop(order, ended);
            order.next().ifPresent(next -> stop(next, ended));
        }
        running.clear();
    }

    /// A descriptor that a thread may still work with is left for the end of the process: its
    /// number could be given to another namespace at once.
    private static void stop(Order order, boolean ended) {
        Answer answer =
                switch (order.task()) {
                    case Order.Task.Wire _ -> new Answer.Unavailable("the daemon is stopping");
                    case Order.Task.Unwire _, Order.Task.Remove _ -> TORN_DOWN_LATER;
                };
        if (ended) {
            order.answer(answer);
        } else {
            order.callers().forEach(caller -> caller.answer(answer));
        }
    }

    private boolean ended() {
        try {
            return threads.awaitTermination(CLOSE_PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
