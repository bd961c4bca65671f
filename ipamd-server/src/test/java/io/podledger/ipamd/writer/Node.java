package io.podledger.ipamd.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.podledger.ipamd.host.LedgerClock;
import io.podledger.ipamd.wiring.HeldNamespace;
import io.podledger.journal.Damage;
import io.podledger.journal.Journal;
import io.podledger.journal.JournalOptions;
import io.podledger.journal.JournalReader;
import io.podledger.journal.LogRecord;
import io.podledger.projections.Attachment;
import io.podledger.projections.Command;
import io.podledger.projections.Decider;
import io.podledger.projections.Event;
import io.podledger.projections.EventCodec;
import io.podledger.projections.Holder;
import io.podledger.projections.Invariants;
import io.podledger.projections.IpAddress;
import io.podledger.projections.LeaseState;
import io.podledger.projections.Ledger;
import io.podledger.projections.LedgerView;
import io.podledger.projections.Mode;
import io.podledger.projections.NamespaceIdentity;
import io.podledger.projections.Range;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/// A node of a test's own: a real journal, a writer on its thread, and a kernel of maps.
final class Node implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long POLL_NANOS = 1_000_000;
    private static final AtomicInteger DESCRIPTORS = new AtomicInteger(1_000);

    final FakeWiring wiring;
    final Path folder;
    final Path spoolFolder;
    final Journal journal;
    final Ledger ledger;
    final Writer writer;
    final AtomicLong bootMillis = new AtomicLong(10_000);
    final AtomicReference<Throwable> halted = new AtomicReference<>();
    final AtomicInteger closedTwice = new AtomicInteger();
    private final Thread thread;

    /// What a test decides about its node.
    ///
    /// @param cooldownMillis of released addresses
    /// @param delPatience for which a DEL waits for its teardown
    record Settings(
            String cidr, long cooldownMillis, Duration delPatience, Spool.Reader spoolReader) {
        static final Settings USUAL =
                new Settings("10.9.0.0/24", 0, Duration.ofSeconds(10), Node::noSpool);

        Settings cidr(String text) {
            return new Settings(text, cooldownMillis, delPatience, spoolReader);
        }

        Settings patience(Duration time) {
            return new Settings(cidr, cooldownMillis, time, spoolReader);
        }

        Settings reader(Spool.Reader reader) {
            return new Settings(cidr, cooldownMillis, delPatience, reader);
        }
    }

    private static Command.Del noSpool(byte[] bytes) {
        throw new IllegalArgumentException("no test writes " + bytes.length + " bytes here");
    }

    Node(Path folder, Settings settings, FakeWiring wiring) throws Exception {
        this.folder = folder;
        this.wiring = wiring;
        this.spoolFolder = Files.createDirectories(folder.resolve("spool"));
        LedgerState state = new LedgerState();
        journal = Journal.open(folder.resolve("journal"), new JournalOptions(1 << 20), state);
        ledger = state.ledger();
        LedgerClock clock =
                new LedgerClock(bootMillis::get, journal.ledgerMillis(), OptionalLong.empty());
        writer =
                new Writer(
                        journal,
                        new Book(journal, ledger, new Decider(settings.cooldownMillis()), clock),
                        wiring,
                        new Spool(spoolFolder, settings.spoolReader()),
                        halted::set,
                        settings.delPatience());
        thread = Thread.ofPlatform().name("writer").start(writer::run);
        writer.submitOwn(start(settings.cidr()), _ -> {});
    }

    /// A node that takes calls.
    static Node open(Path folder, Settings settings) throws Exception {
        Node node = new Node(folder, settings, new FakeWiring());
        node.writer.open().get(30, TimeUnit.SECONDS);
        return node;
    }

    private static Command.Start start(String cidr) {
        String[] parts = cidr.split("/", 2);
        Range range = new Range(IpAddress.parse(parts[0]), Integer.parseInt(parts[1]), "", 0);
        return new Command.Start(
                new Event.DaemonStarted("test", "boot", 10_000, "machine", ""), List.of(range));
    }

    static Attachment attachment(String container) {
        return new Attachment("net", container, "eth0");
    }

    static String device(String container) {
        return "eni-" + container;
    }

    static Command.Add addCommand(String container, Mode mode, NamespaceIdentity namespace) {
        String device = mode == Mode.ROUTED ? device(container) : "";
        return new Command.Add(
                attachment(container), Optional.empty(), true, mode, namespace, "/x", device, 1500);
    }

    static Command.Del delCommand(String container) {
        return new Command.Del(
                attachment(container), Optional.empty(), device(container), Optional.empty());
    }

    static NamespaceIdentity identity(long inode) {
        return new NamespaceIdentity(4, inode, "boot");
    }

    /// A namespace that says so when it is closed a second time.
    HeldNamespace namespace(NamespaceIdentity identity) {
        int descriptor = DESCRIPTORS.incrementAndGet();
        wiring.openNamespaces.add(descriptor);
        return new HeldNamespace(
                descriptor,
                identity,
                () -> {
                    if (!wiring.openNamespaces.remove(descriptor)) {
                        closedTwice.incrementAndGet();
                    }
                });
    }

    CompletableFuture<Answer> add(String container) {
        return add(container, identity(1));
    }

    CompletableFuture<Answer> add(String container, NamespaceIdentity identity) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        add(container, identity, answer::complete);
        return answer;
    }

    void add(String container, NamespaceIdentity identity, Consumer<Answer> reply) {
        writer.submit(
                addCommand(container, Mode.ROUTED, identity),
                Optional.of(namespace(identity)),
                reply);
    }

    CompletableFuture<Answer> addIpam(String container) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        writer.submit(
                addCommand(container, Mode.IPAM, NamespaceIdentity.NONE),
                Optional.empty(),
                answer::complete);
        return answer;
    }

    CompletableFuture<Answer> del(String container) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        writer.submit(delCommand(container), Optional.empty(), answer::complete);
        return answer;
    }

    <T> T read(Function<LedgerView, T> reader) {
        CompletableFuture<T> read = new CompletableFuture<>();
        assertThat(writer.read(ledger -> read.complete(reader.apply(ledger)))).isTrue();
        return got(read);
    }

    /// The facts that a reader finds in the journal now.
    static List<Event> facts(Path folder) {
        List<Event> facts = new ArrayList<>();
        try (JournalReader reader = JournalReader.open(folder.resolve("journal"))) {
            reader.read(
                    JournalReader.From.OLDEST,
                    new JournalReader.Visitor() {
                        @Override
                        public void snapshot(long sequence, List<byte[]> chunks) {}

                        @Override
                        public void record(LogRecord record, boolean confirmed) {
                            facts.add(EventCodec.decode(record.type(), record.payload()));
                        }

                        @Override
                        public void damage(Damage damage) {
                            throw new AssertionError(damage);
                        }
                    });
        }
        return facts;
    }

    /// What a start would find.
    static Ledger replayed(Path folder) {
        LedgerState state = new LedgerState();
        Journal.open(folder.resolve("journal"), new JournalOptions(1 << 20), state).close();
        return state.ledger();
    }

    static <T> T got(CompletableFuture<T> answer) {
        return answer.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }

    static void until(String what, BooleanSupplier holds) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(deadline);
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    void stop(Duration patience) {
        writer.close(patience);
        try {
            assertThat(thread.join(PATIENCE)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    int attachments() {
        return read(LedgerView::attachments);
    }

    Optional<LeaseState> state(String container) {
        return read(view -> view.holder(attachment(container)).map(Holder::state));
    }

    /// Stops, and looks at everything that must hold at the end of any story.
    @Override
    public void close() {
        stop(Duration.ofSeconds(10));
        journal.close();
        assertThat(wiring.violations).isEmpty();
        assertThat(closedTwice).hasValue(0);
        assertThat(wiring.openNamespaces).isEmpty();
        assertThat(Invariants.violations(ledger, Long.MAX_VALUE / 2)).isEmpty();
    }
}
