package io.podledger.ipamd.writer;

import io.podledger.ipamd.host.LedgerClock;
import io.podledger.ipamd.wiring.HeldNamespace;
import io.podledger.ipamd.wiring.Wiring;
import io.podledger.journal.Journal;
import io.podledger.projections.Attachment;
import io.podledger.projections.Command;
import io.podledger.projections.Decider;
import io.podledger.projections.Decision;
import io.podledger.projections.DelVerdict;
import io.podledger.projections.Event;
import io.podledger.projections.EventCodec;
import io.podledger.projections.Holder;
import io.podledger.projections.Lease;
import io.podledger.projections.LeaseState;
import io.podledger.projections.Ledger;
import io.podledger.projections.LedgerView;
import io.podledger.projections.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The one thread that owns the ledger. It decides, applies, appends; syncs once for a batch; and
/// only then answers callers and gives orders to the kernel: durable, then visible.
///
/// ```
///   calls, completions ──► decide ► apply ► append   for each job of a batch
///                          sync                      once, if anything in it must be durable
///                          answers, orders           in the order of the jobs
/// ```
///
/// If appending or syncing fails, the ledger in memory is void: the process halts, and the next
/// start recovers.
public final class Writer {
    /// Requests under way at once; one more is turned away.
    public static final int CALLS_MAX = 1_024;

    private static final int BATCH_JOBS_MAX = 512;
    private static final int HASH_EVERY_FACTS = 1_000;
    private static final Duration SPOOL_LOOK = Duration.ofMillis(500);

    /// Facts that nobody waits for reach the disk after this long at the latest.
    private static final Duration LAZY_SYNC = Duration.ofMillis(200);

    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

    private final Journal journal;
    private final Ledger ledger;
    private final Decider decider;
    private final LedgerClock clock;
    private final Spool spool;
    private final Consumer<Throwable> halt;
    private final Orders orders;
    private final Mailbox mailbox = new Mailbox();
    private final Semaphore places = new Semaphore(CALLS_MAX);
    private final List<Job> batch = new ArrayList<>();
    private final List<Runnable> effects = new ArrayList<>();
    private boolean mustSync;
    private boolean unsynced;
    private long unsyncedSinceNanos;
    private int factsSinceHash;
    private final CompletableFuture<Boolean> opened = new CompletableFuture<>();
    private volatile boolean opening;
    private volatile boolean closing;
    private volatile long deadlineNanos;

    /// @param halt called once where the journal failed; does not return in production
    public Writer(
            Journal journal,
            Ledger ledger,
            Decider decider,
            LedgerClock clock,
            Wiring wiring,
            Spool spool,
            Consumer<Throwable> halt) {
        this.journal = journal;
        this.ledger = ledger;
        this.decider = decider;
        this.clock = clock;
        this.spool = spool;
        this.halt = halt;
        this.orders =
                new Orders(
                        wiring,
                        (order, failure) -> mailbox.completion(new Job.Completed(order, failure)));
    }

    /// Hands a command in. The reply comes once, on some thread, after what it says is durable.
    ///
    /// @param namespace closed by the writer when it is no longer needed, whatever the answer
    public void submit(Command command, Optional<HeldNamespace> namespace, Consumer<Answer> reply) {
        if (closing || !places.tryAcquire()) {
            namespace.ifPresent(HeldNamespace::close);
            reply.accept(
                    new Answer.Unavailable(
                            closing
                                    ? "the daemon is stopping"
                                    : CALLS_MAX + " calls are under way already"));
            return;
        }
        Consumer<Answer> giveBack =
                answer -> {
                    places.release();
                    reply.accept(answer);
                };
        mailbox.call(new Job.Call(command, new Caller(giveBack, namespace)));
    }

    /// Decides at once, without waiting for the mailbox to open: for the daemon's own facts at
    /// start.
    public void submitOwn(Command command, Consumer<Answer> reply) {
        mailbox.completion(new Job.Call(command, new Caller(reply, Optional.empty())));
    }

    /// Looks at the ledger on the writer's thread, once everything before is durable.
    public void read(Consumer<LedgerView> reader) {
        mailbox.completion(new Job.Read(reader));
    }

    /// From here on calls are taken, as soon as the spool has been drained.
    ///
    /// @return completed when it has been
    public CompletableFuture<Boolean> open() {
        opening = true;
        return opened;
    }

    /// Takes up the teardowns that an earlier process left unfinished.
    public void resume() {
        read(_ -> held(LeaseState.RELEASING).forEach(this::unwire));
    }

    private void unwire(Holder holder) {
        orders.start(new Order(new Order.Task.Unwire(holder.lease()), holder.order()));
    }

    /// Undoes the reservations that nobody asks for and that left no device.
    ///
    /// @param ordersBefore those of an earlier process: the ones with orders up to this number
    /// @param devices the host's devices that bear our mark
    public void abandon(long ordersBefore, Set<String> devices) {
        read(
                _ -> {
                    for (Holder holder : held(LeaseState.RESERVED)) {
                        String device = holder.lease().hostDevice();
                        if (holder.order() <= ordersBefore
                                && !devices.contains(device)
                                && !orders.running(device)) {
                            abandon(holder.lease().attachment(), device);
                        }
                    }
                });
    }

    private void abandon(Attachment attachment, String device) {
        commit(
                new Command.Abandon(
                        attachment, "its ADD was never answered and there is no device " + device));
    }

    private List<Holder> held(LeaseState state) {
        return ledger.holders().stream().filter(holder -> holder.state() == state).toList();
    }

    /// Takes no more calls, lets what is under way end, and writes the last facts.
    ///
    /// @param patience how long callers and orders under way are waited for
    public void close(Duration patience) {
        deadlineNanos = System.nanoTime() + patience.toNanos();
        closing = true;
        mailbox.open();
    }

    /// The thread's whole life. Returns after [#close].
    public void run() {
        try {
            while (!closing || !settled()) {
                turn();
            }
            commit(new Command.Hash());
            commit(new Command.Stop("asked to stop"));
            sync();
            journal.confirm();
            orders.close();
            journal.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            halt.accept(e);
        } catch (Throwable e) {
            halt.accept(e);
        }
    }

    private boolean settled() {
        return System.nanoTime() - deadlineNanos > 0
                || (places.availablePermits() == CALLS_MAX && orders.idle());
    }

    private void turn() throws InterruptedException {
        mailbox.drain(batch, BATCH_JOBS_MAX, orders.tick(idleNanos()));
        takeSpool();
        boolean idle = batch.isEmpty();
        batch.forEach(this::process);
        batch.clear();
        if (mustSync
                || (unsynced && System.nanoTime() - unsyncedSinceNanos > LAZY_SYNC.toNanos())) {
            sync();
        } else if (idle && !unsynced) {
            journal.confirm();
        }
        // An effect may start an order, never another decision: the list does not grow while it
        // runs.
        effects.forEach(Runnable::run);
        effects.clear();
    }

    /// Only once the start is stated: which DELs are older than what the ledger holds depends on
    /// the boot.
    private void takeSpool() {
        if (!opening && !opened.isDone()) {
            return;
        }
        List<Spool.Entry> entries = spool.take();
        for (Spool.Entry entry : entries) {
            decide(entry.command(), new Caller(_ -> entry.done(), Optional.empty()));
            mustSync = true;
        }
        if (opening && entries.isEmpty()) {
            opening = false;
            mailbox.open();
            opened.complete(true);
        }
    }

    private long idleNanos() {
        return opening || closing || unsynced ? LAZY_SYNC.toNanos() / 4 : SPOOL_LOOK.toNanos();
    }

    private void process(Job job) {
        switch (job) {
            case Job.Call(var command, var caller) -> decide(command, caller);
            case Job.Completed(var order, var failure) -> complete(order, failure);
            case Job.Read(var reader) -> effects.add(() -> reader.accept(ledger));
        }
    }

    private void decide(Command command, Caller caller) {
        Decision decision = commit(command);
        effects.add(() -> carryOut(decision.outcome(), caller));
    }

    private Decision commit(Command command) {
        journal.rollIfDue();
        long now = clock.now();
        Decision decision = decider.decide(ledger, command, now);
        List<byte[]> encoded;
        try {
            encoded = decision.events().stream().map(EventCodec::encode).toList();
        } catch (IllegalArgumentException e) {
            LOG.warn("a call is too large to be written down: {}", e.getMessage());
            return new Decision(
                    List.of(), false, new Outcome.Nothing(String.valueOf(e.getMessage())));
        }
        for (int i = 0; i < encoded.size(); i++) {
            Event event = decision.events().get(i);
            ledger.apply(now, event);
            journal.append(EventCodec.type(event), now, encoded.get(i));
        }
        if (!encoded.isEmpty() && !unsynced) {
            unsynced = true;
            unsyncedSinceNanos = System.nanoTime();
        }
        mustSync |= decision.durable();
        factsSinceHash += encoded.size();
        if (factsSinceHash >= HASH_EVERY_FACTS) {
            factsSinceHash = 0;
            commit(new Command.Hash());
        }
        return decision;
    }

    private void sync() {
        journal.sync();
        mustSync = false;
        unsynced = false;
    }

    private void carryOut(Outcome outcome, Caller caller) {
        switch (outcome) {
            case Outcome.Wire(var lease, var number) -> wire(lease, number, caller);
            case Outcome.Unwire(var lease, var number) ->
                    start(new Order(new Order.Task.Unwire(lease), number), caller);
            case Outcome.UnwireSuspect(var device, var addresses) ->
                    start(new Order(new Order.Task.Remove(device, addresses), 0), caller);
            case Outcome.Granted(var lease) -> answer(caller, new Answer.Granted(lease));
            case Outcome.Refused(var reason, var message) ->
                    answer(caller, new Answer.Refused(reason, message));
            case Outcome.Deleted(var verdict) -> answer(caller, new Answer.Deleted(verdict));
            case Outcome.Failed(var _, var reason, var _) ->
                    answer(caller, new Answer.Failed(reason));
            case Outcome.Nothing(var why) -> answer(caller, new Answer.Failed(why));
        }
    }

    private void wire(Lease lease, long number, Caller caller) {
        Optional<HeldNamespace> namespace = caller.namespace();
        if (namespace.isEmpty()) {
            answer(caller, new Answer.Failed("no network namespace came with the call"));
            return;
        }
        start(new Order(new Order.Task.Wire(lease, namespace.get()), number), caller);
    }

    private void start(Order order, Caller caller) {
        order.callers().add(caller);
        orders.start(order);
    }

    private static void answer(Caller caller, Answer answer) {
        caller.answer(answer);
        caller.release();
    }

    private void complete(Order order, Optional<String> failure) {
        switch (order.task()) {
            case Order.Task.Wire(var lease, var _) -> {
                var attachment = lease.attachment();
                long number = order.number();
                Decision decision =
                        commit(
                                failure.isEmpty()
                                        ? new Command.WiringDone(attachment, number)
                                        : new Command.WiringBroke(
                                                attachment, number, failure.get()));
                effects.add(() -> wired(order, decision));
            }
            case Order.Task.Unwire(var lease) ->
                    gone(
                            order,
                            failure,
                            new Command.TeardownDone(lease.attachment(), order.number()));
            case Order.Task.Remove(var device, var _) ->
                    gone(order, failure, new Command.SuspectGone(device, "removed for its DEL"));
        }
    }

    private void wired(Order order, Decision decision) {
        switch (decision.outcome()) {
            case Outcome.Granted(var lease) -> orders.finish(order, new Answer.Granted(lease));
            case Outcome.Refused(var reason, var message) ->
                    orders.finish(order, new Answer.Refused(reason, message));
            case Outcome.Failed(var lease, var reason, var number) -> {
                orders.finish(order, new Answer.Failed(reason));
                orders.start(new Order(new Order.Task.Unwire(lease), number));
            }
            case Outcome.Nothing(var why) -> orders.finish(order, new Answer.Failed(why));
            case Outcome.Wire _, Outcome.Unwire _, Outcome.UnwireSuspect _, Outcome.Deleted _ ->
                    throw new IllegalStateException("a completion led to " + decision.outcome());
        }
    }

    private void gone(Order order, Optional<String> failure, Command completion) {
        if (failure.isPresent()) {
            effects.add(() -> orders.retryLater(order, failure.get()));
            return;
        }
        Decision decision = commit(completion);
        if (decision.outcome() instanceof Outcome.Nothing(var why)) {
            LOG.info("teardown of {} ended late: {}", order.key(), why);
        }
        effects.add(() -> orders.finish(order, new Answer.Deleted(DelVerdict.RELEASING)));
    }
}
