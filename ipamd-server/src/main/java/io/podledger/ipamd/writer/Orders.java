package io.podledger.ipamd.writer;

import io.podledger.ipamd.wiring.Wiring;
import io.podledger.ipamd.wiring.WiringException;
import io.podledger.projections.DelVerdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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

    /// A DEL whose teardown still fails is answered after this long: one that fails forever wedges
    /// the pod. The address stays in `releasing`.
    private static final Duration DEL_PATIENCE = Duration.ofSeconds(10);

    private static final Duration RETRY_FIRST = Duration.ofMillis(100);
    private static final Duration RETRY_LAST = Duration.ofSeconds(30);

    private static final Logger LOG = LoggerFactory.getLogger(Orders.class);

    private final Wiring wiring;
    private final BiConsumer<Order, Optional<String>> completed;
    private final Map<String, Order> running = new HashMap<>();
    private final Map<Caller, Long> impatientAtNanos = new HashMap<>();
    private final ExecutorService threads =
            Executors.newFixedThreadPool(
                    WIRING_THREADS, Thread.ofPlatform().name("wiring-", 0).daemon().factory());

    /// @param completed told on a wiring thread how an order ended: empty where it worked
    Orders(Wiring wiring, BiConsumer<Order, Optional<String>> completed) {
        this.wiring = wiring;
        this.completed = completed;
    }

    boolean idle() {
        return running.isEmpty();
    }

    boolean running(String device) {
        return running.containsKey(device);
    }

    /// Begins the order, joins an equal one, or waits behind another for the same device.
    void start(Order order) {
        order.callers().forEach(this::watch);
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

    private void watch(Caller caller) {
        impatientAtNanos.put(caller, System.nanoTime() + DEL_PATIENCE.toNanos());
    }

    private static void join(Order order, Order other) {
        order.callers().addAll(other.callers());
    }

    private static void supersede(Order order) {
        order.answer(new Answer.Failed("a later call for the same attachment came before"));
    }

    /// The order has ended for good; whatever waits behind it begins.
    void finish(Order order, Answer answer) {
        order.callers().forEach(impatientAtNanos::remove);
        order.answer(answer);
        release(order);
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
        for (Order order : List.copyOf(running.values())) {
            if (order.dueNanos() != 0) {
                wait = Math.min(wait, retryIfDue(order, now));
            }
            if (order.task() instanceof Order.Task.Unwire
                    || order.task() instanceof Order.Task.Remove) {
                wait = Math.min(wait, dismissImpatient(order, now));
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

    private long dismissImpatient(Order order, long now) {
        long wait = Long.MAX_VALUE;
        for (Caller caller : new ArrayList<>(order.callers())) {
            long left = impatientAtNanos.getOrDefault(caller, now) - now;
            if (left <= 0) {
                order.callers().remove(caller);
                impatientAtNanos.remove(caller);
                caller.answer(new Answer.Deleted(DelVerdict.RELEASING));
                caller.release();
            } else {
                wait = Math.min(wait, left);
            }
        }
        return wait;
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
        } catch (RuntimeException e) {
            LOG.error("wiring of {} ended in an error of the daemon's own", order.key(), e);
            failure = Optional.of("internal error: " + e);
        }
        completed.accept(order, failure);
    }

    private static void release(Order order) {
        if (order.task() instanceof Order.Task.Wire(var _, var namespace)) {
            namespace.close();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
