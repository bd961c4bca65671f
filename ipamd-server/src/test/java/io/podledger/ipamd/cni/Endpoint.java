package io.podledger.ipamd.cni;

import static org.assertj.core.api.Assertions.assertThat;

import io.podledger.ipamd.host.BootClock;
import io.podledger.ipamd.host.LedgerClock;
import io.podledger.ipamd.wiring.Wiring;
import io.podledger.ipamd.wiring.WiringException;
import io.podledger.ipamd.writer.LedgerState;
import io.podledger.ipamd.writer.Spool;
import io.podledger.ipamd.writer.Writer;
import io.podledger.journal.Journal;
import io.podledger.journal.JournalOptions;
import io.podledger.projections.Command;
import io.podledger.projections.Decider;
import io.podledger.projections.Event;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Lease;
import io.podledger.projections.Mode;
import io.podledger.projections.Range;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/// The daemon's endpoint with a real socket, writer and journal. Its wiring writes down which
/// namespace it was given.
final class Endpoint implements AutoCloseable {
    final Path socket;
    final Path spool;
    final CniService service;
    final Writer writer;
    final Queue<Long> wiredInto = new ConcurrentLinkedQueue<>();
    private final CniServer server;
    private final Thread thread;
    private final ExecutorService checks = Executors.newSingleThreadExecutor();

    Endpoint(Path folder) throws Exception {
        socket = folder.resolve("cni.sock");
        spool = Files.createDirectories(folder.resolve("spool"));
        LedgerState state = new LedgerState();
        Journal journal =
                Journal.open(folder.resolve("journal"), new JournalOptions(1 << 20), state);
        Wiring wiring = new Recording();
        writer =
                new Writer(
                        journal,
                        state.ledger(),
                        new Decider(0),
                        new LedgerClock(BootClock::millis, 0, OptionalLong.empty()),
                        wiring,
                        new Spool(spool, SpooledDel::read),
                        cause -> {
                            throw new AssertionError(cause);
                        });
        thread = Thread.ofPlatform().name("writer").start(writer::run);
        writer.submitOwn(start(), _ -> {});
        service =
                new CniService(new CniService.Settings(Mode.ROUTED, 1500), writer, wiring, checks);
        server = CniServer.listen(socket, service, "boot");
        writer.open().get(30, TimeUnit.SECONDS);
    }

    private static Command.Start start() {
        return new Command.Start(
                new Event.DaemonStarted("test", "boot", 1, "machine", ""),
                List.of(new Range(IpAddress.parse("10.9.0.0"), 24, "", 0)));
    }

    private final class Recording implements Wiring {
        @Override
        public void wire(Lease lease, int namespace) throws WiringException {
            try {
                Path file = Path.of("/proc/self/fd/" + namespace);
                wiredInto.add((Long) Files.getAttribute(file, "unix:ino"));
            } catch (IOException e) {
                throw new WiringException("the namespace is closed: " + e);
            }
        }

        @Override
        public void unwire(Lease lease) {}

        @Override
        public void check(Lease lease, int namespace) throws WiringException {
            wire(lease, namespace);
        }

        @Override
        public void remove(String hostDevice, List<IpAddress> addresses) {}

        @Override
        public List<Command.Marked> marked() {
            return List.of();
        }
    }

    void stopWriter() throws InterruptedException {
        writer.close(Duration.ofSeconds(30));
        assertThat(thread.join(Duration.ofSeconds(30))).isTrue();
    }

    @Override
    public void close() {
        server.stopAccepting();
        try {
            stopWriter();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        server.close();
        checks.shutdownNow();
    }
}
