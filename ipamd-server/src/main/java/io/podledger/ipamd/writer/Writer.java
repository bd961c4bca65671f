package io.podledger.ipamd.writer;

import io.podledger.ipamd.host.LedgerClock;
import io.podledger.ipamd.wiring.HeldNamespace;
import io.podledger.ipamd.wiring.Wiring;
import io.podledger.journal.Journal;
import io.podledger.projections.Command;
import io.podledger.projections.Decider;
import io.podledger.projections.Decision;
import io.podledger.projections.DelVerdict;
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
///                          reviews                   decisions on what has no order under way
/// ```
///
/// If appending or syncing fails, the ledger in memory is void: the process halts, and the next
/// start recovers. So it does after any exception on this thread that is not a reply's own.
public final class Writer {
    /// Requests under way at once; one more is turned away.
    public static final int CALLS_MAX = 1_024;

    private static final int BATCH_JOBS_MAX = 512;
    private static final Duration SPOOL_LOOK = Duration.ofMillis(500);

    /// A million files: more than a node can have DELs.
    private static final int SPOOL_LOOKS_MAX = 4_096;

    /// The plugin waits 15 s for a DEL, and then writes it down.
    private static final Duration DEL_PATIENCE = Duration.ofSeconds(10);

    private static final String STOPPING = "the daemon is stopping";
    private static final Logger LOG = LoggerFactory.getLogger(Writer.class);

    private final Journal journal;
    private final Book book;
    private final Spool spool;
    private final Consumer<Throwable> halt;
    private final Orders orders;
    private final Mailbox mailbox = new Mailbox();
    private final Semaphore places = new Semaphore(CALLS_MAX);
    private final List<Job> batch = new ArrayList<>();
    private final List<Runnable> effects = new ArrayList<>();
    private final List<Runnable> reviews = new ArrayList<>();
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
        this(journal, new Book(journal, ledger, decider, clock), wiring, spool, halt, DEL_PATIENCE);
    }

    Writer(
            Journal journal,
            Book book,
            Wiring wiring,
            Spool spool,
            Consumer<Throwable> halt,
            Duration delPatience) {
        this.journal = journal;
        this.book = book;
        this.spool = spool;
        this.halt = halt;
        this.orders =
                new Orders(
                        wiring,
                        delPatience,
                        (order, failure) -> mailbox.completion(new Job.Completed(order, failure)));
    }

    /// Hands a command in. The reply comes once, on some thread, after what it says is durable.
    ///
    /// @param namespace closed by the writer when it is no longer needed, whatever the answer
    public void submit(Command command, Optional<HeldNamespace> namespace, Consumer<Answer> reply) {
        if (!places.tryAcquire()) {
            turnAway(new Caller(reply, namespace), CALLS_MAX + " calls are under way already");
            return;
        }
        Consumer<Answer> giveBack =
                answer -> {
                    places.release();
                    reply.accept(answer);
                };
        Caller caller = new Caller(giveBack, namespace);
        if (closing || !mailbox.call(new Job.Call(command, caller))) {
            turnAway(caller, STOPPING);
        }
    }

    private static void turnAway(Caller caller, String why) {
        answer(caller, new Answer.Unavailable(why));
    }

    /// Decides at once, without waiting for the mailbox to open: for the daemon's own facts at
    /// start.
    public void submitOwn(Command command, Consumer<Answer> reply) {
        Caller caller = new Caller(reply, Optional.empty());
        if (!mailbox.completion(new Job.Call(command, caller))) {
            turnAway(caller, STOPPING);
        }
    }

    /// Looks at the ledger on the writer's thread, once everything before is durable.
    ///
    /// @return whether the reader will be called: not where the writer has stopped
    public boolean read(Consumer<LedgerView> reader) {
        return mailbox.completion(new Job.Read(reader));
    }

    /// From here on calls are taken, as soon as the spool has been drained.
    ///
    /// @return completed when it has been
    public CompletableFuture<Boolean> open() {
        opening = true;
        mailbox.wake();
        return opened;
    }

    /// Takes up the teardowns that an earlier process left unfinished.
    public void resume() {
        mailbox.completion(new Job.Review(() -> held(LeaseState.RELEASING).forEach(this::resume)));
    }

    private void resume(Holder holder) {
        Lease lease = holder.lease();
        switch (lease.mode()) {
            case ROUTED -> orders.start(new Order(new Order.Task.Unwire(lease), holder.order()));
            case IPAM -> book.commit(new Command.TeardownDone(lease.attachment(), holder.order()));
        }
    }

    /// Undoes the reservations that nobody asks for and that left no device.
    ///
    /// @param ordersBefore those of an earlier process: the ones with orders up to this number
    /// @param devices the host's devices that bear our mark
    public void abandon(long ordersBefore, Set<String> devices) {
        mailbox.completion(
                new Job.Review(
                        () ->
                                held(LeaseState.RESERVED).stream()
                                        .filter(holder -> holder.order() <= ordersBefore)
                                        .map(Holder::lease)
                                        .filter(lease -> !devices.contains(lease.hostDevice()))
                                        .filter(lease -> !orders.running(lease.hostDevice()))
                                        .forEach(this::abandon)));
    }

    private void abandon(Lease lease) {
        decide(
                new Command.Abandon(
                        lease.attachment(),
                        "its ADD was never answered and there is no device " + lease.hostDevice()),
                new Caller(_ -> {}, Optional.empty()));
    }

    private List<Holder> held(LeaseState state) {
        return book.ledger().holders().stream().filter(holder -> holder.state() == state).toList();
    }

    /// Takes no more calls, lets what is under way end, and writes the last facts. Calls that wait
    /// for an opening that never came are turned away.
    ///
    /// @param patience how long calls and orders under way are waited for
    public void close(Duration patience) {
        deadlineNanos = System.nanoTime() + patience.toNanos();
        closing = true;
        mailbox.wake();
    }

    /// The thread's whole life. Returns after [#close].
    public void run() {
        try {
            while (!closing || !settled()) {
                turn();
            }
            book.finish("asked to stop");
            mailbox.close().forEach(this::leave);
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
        return System.nanoTime() - deadlineNanos > 0 || (mailbox.isEmpty() && orders.idle());
    }

    /// A job that came too late. What completed is still among the orders.
    private void leave(Job job) {
        switch (job) {
            case Job.Call(var _, var caller) -> turnAway(caller, STOPPING);
            case Job.Read(var reader) -> reader.accept(book.ledger());
            case Job.Completed _, Job.Review _ -> {}
        }
    }

    private void turn() throws InterruptedException {
        mailbox.drain(batch, BATCH_JOBS_MAX, orders.tick(idleNanos()));
        takeSpool();
        batch.forEach(this::process);
        batch.clear();
        settle();
        // Made last: only now each order that was decided on has begun.
        reviews.forEach(Runnable::run);
        reviews.clear();
        settle();
    }

    /// An effect may start an order, never another decision: the list does not grow while it runs.
    private void settle() {
        book.settle();
        effects.forEach(Runnable::run);
        effects.clear();
    }

    /// The whole spool, in rounds: no DEL in it may come after a later command for its attachment.
    /// Only once the start is stated: which DELs are older than what the ledger holds depends on
    /// the boot.
    private void takeSpool() {
        if (!opening && !opened.isDone()) {
            return;
        }
        Spool.Look look = spool.look();
        for (int i = 0; look.more() && i < SPOOL_LOOKS_MAX; i++) {
            take(look.entries());
            settle();
            look = spool.look();
        }
        take(look.entries());
        if (opening && look.entries().isEmpty() && !look.failed()) {
            opening = false;
            mailbox.open();
            opened.complete(true);
        }
    }

    private void take(List<Spool.Entry> entries) {
        for (Spool.Entry entry : entries) {
            decide(entry.command(), new Caller(_ -> entry.done(), Optional.empty()));
            book.demandSync();
        }
    }

    private long idleNanos() {
        return opening || closing || book.unsynced()
                ? Book.LAZY_SYNC.toNanos() / 4
                : SPOOL_LOOK.toNanos();
    }

    private void process(Job job) {
        switch (job) {
            case Job.Call(var command, var caller) -> decide(command, caller);
            case Job.Completed(var order, var failure) -> complete(order, failure);
            case Job.Read(var reader) -> {
                book.demandSync();
                effects.add(() -> reader.accept(book.ledger()));
            }
            case Job.Review(var decisions) -> reviews.add(decisions);
        }
    }

    private void decide(Command command, Caller caller) {
        Decision decision = book.commit(command);
        effects.add(() -> carryOut(decision.outcome(), caller));
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
            case Outcome.Recheck(var missed) -> answer(caller, new Answer.Recheck(missed));
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
                        book.commit(
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
            case Outcome.Wire _,
                    Outcome.Unwire _,
                    Outcome.UnwireSuspect _,
                    Outcome.Deleted _,
                    Outcome.Recheck _ ->
                    throw new IllegalStateException("a completion led to " + decision.outcome());
        }
    }

    private void gone(Order order, Optional<String> failure, Command completion) {
        if (failure.isPresent()) {
            effects.add(() -> orders.retryLater(order, failure.get()));
            return;
        }
        Decision decision = book.commit(completion);
        if (decision.outcome() instanceof Outcome.Nothing(var why)) {
            LOG.info("teardown of {} ended late: {}", order.key(), why);
        }
        effects.add(() -> orders.finish(order, new Answer.Deleted(DelVerdict.RELEASING)));
    }
}
