package io.podledger.ipamd.main;

import io.podledger.ipamd.cni.CniServer;
import io.podledger.ipamd.cni.CniService;
import io.podledger.ipamd.cni.Conflist;
import io.podledger.ipamd.cni.SpooledDel;
import io.podledger.ipamd.config.UpOptions;
import io.podledger.ipamd.host.BootClock;
import io.podledger.ipamd.host.Host;
import io.podledger.ipamd.host.LedgerClock;
import io.podledger.ipamd.host.NodeMtu;
import io.podledger.ipamd.wiring.RoutedWiring;
import io.podledger.ipamd.wiring.Wiring;
import io.podledger.ipamd.writer.Answer;
import io.podledger.ipamd.writer.LedgerState;
import io.podledger.ipamd.writer.Spool;
import io.podledger.ipamd.writer.Writer;
import io.podledger.journal.Journal;
import io.podledger.journal.JournalOptions;
import io.podledger.projections.Command;
import io.podledger.projections.Decider;
import io.podledger.projections.Event;
import io.podledger.projections.Ledger;
import io.podledger.projections.Mode;
import io.podledger.projections.Range;
import io.podledger.projections.Sweep;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The daemon's life, in the order that keeps the ledger true: lock and recover the journal;
/// listen, so that callers wait and do not fail; state the start and the pool; compare with the
/// kernel; drain the spool; take calls; write the conflist; ready.
final class Daemon {
    /// How long calls and orders under way are waited for at the end.
    private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(10);

    /// CHECK looks into namespaces.
    private static final int CHECK_THREADS = 2;

    private static final Duration CHECK_PATIENCE = Duration.ofSeconds(2);

    /// At a start the runtime is waited for, and after this time done without.
    private static final Duration RUNTIME_PATIENCE = Duration.ofSeconds(10);

    private static final Logger LOG = LoggerFactory.getLogger(Daemon.class);

    private final UpOptions options;
    private final String version;
    private final Host host;
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile boolean orderly;

    Daemon(UpOptions options, String version) {
        this.options = options;
        this.version = version;
        this.host = Host.read(options.machineIdFile);
    }

    /// Runs until SIGTERM or SIGINT, from wherever the start has come to.
    ///
    /// @throws StartException naming what keeps the daemon from starting, and the remedy
    void run() throws StartException, InterruptedException {
        Thread hook = new Thread(this::stop, "stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            live();
            orderly = true;
        } finally {
            stopped.countDown();
            forget(hook);
        }
    }

    private static void forget(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException _) {
            // It runs already.
        }
    }

    private void live() throws StartException, InterruptedException {
        Path spoolDir = options.stateDir.resolve("spool");
        folders(spoolDir);
        LedgerState state = new LedgerState();
        try (Journal journal =
                        Journal.open(
                                options.stateDir.resolve("journal"),
                                new JournalOptions(options.segmentMib << 20),
                                state);
                RoutedWiring wiring = new RoutedWiring(journal.id(), options.sysctlDir)) {
            Ledger ledger = state.ledger();
            Identity.check(ledger, host, options);
            List<Range> ranges = Plumbing.prepare(options);
            Writer writer =
                    new Writer(
                            journal,
                            ledger,
                            new Decider(
                                    options.cooldown.toMillis(),
                                    new Sweep(
                                            options.sweepGrace.toMillis(),
                                            options.sweepFloor.toMillis())),
                            new LedgerClock(
                                    BootClock::millis, journal.ledgerMillis(), bootOffset(ledger)),
                            wiring,
                            new Spool(spoolDir, SpooledDel::read),
                            Daemon::halt);
            serve(writer, wiring, ranges, ledger.nextNumber() - 1);
        }
        LOG.info("stopped");
    }

    /// Within a boot ledger time goes on through the time that the daemon was away.
    private OptionalLong bootOffset(Ledger ledger) {
        return ledger.boot().id().equals(host.bootId())
                ? OptionalLong.of(ledger.boot().offsetMillis())
                : OptionalLong.empty();
    }

    private void folders(Path spoolDir) throws StartException {
        var ownerOnly =
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
        try {
            Files.createDirectories(options.runDir);
            Files.createDirectories(options.stateDir.resolve("journal"), ownerOnly);
            Files.createDirectories(spoolDir, ownerOnly);
        } catch (IOException e) {
            throw new StartException(
                    "the folders of --state-dir "
                            + options.stateDir
                            + " and --run-dir "
                            + options.runDir
                            + " cannot be made: "
                            + e);
        }
    }

    private void serve(Writer writer, Wiring wiring, List<Range> ranges, long ordersBefore)
            throws StartException, InterruptedException {
        ExecutorService checks = Executors.newFixedThreadPool(CHECK_THREADS, threads("check-"));
        ScheduledExecutorService aside =
                Executors.newSingleThreadScheduledExecutor(threads("aside-"));
        ReadyFile ready = new ReadyFile(options.runDir);
        CniService service =
                new CniService(
                        new CniService.Settings(options.mode, mtu()), writer, wiring, checks);
        if (ready.lately()) {
            service.ready();
        }
        Thread thread = Thread.ofPlatform().name("writer").start(writer::run);
        try (CniServer server = listen(service);
                Runtimes runtimes =
                        new Runtimes(options.runtimeEndpoint, options.runtimeListEvery, writer)) {
            begin(writer, ranges, new Recovery(writer, wiring, ordersBefore), aside);
            runtimes.follow(RUNTIME_PATIENCE);
            announce(ready, aside);
            service.ready();
            stopping.await();
            LOG.info("stopping");
            server.stopAccepting();
            end(writer, thread);
            checks.shutdown();
            checks.awaitTermination(CHECK_PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } finally {
            end(writer, thread);
            checks.shutdownNow();
            aside.shutdownNow();
        }
    }

    private static ThreadFactory threads(String name) {
        return Thread.ofPlatform().name(name, 0).daemon().factory();
    }

    private static void end(Writer writer, Thread thread) throws InterruptedException {
        writer.close(CLOSE_PATIENCE);
        thread.join();
    }

    private CniServer listen(CniService service) throws StartException {
        Path socket = options.runDir.resolve("cni.sock");
        try {
            return CniServer.listen(socket, service, host.bootId());
        } catch (IOException e) {
            throw new StartException("cannot listen on " + socket + " (--run-dir): " + e);
        }
    }

    private void begin(
            Writer writer, List<Range> ranges, Recovery recovery, ScheduledExecutorService aside)
            throws StartException {
        long start = System.nanoTime();
        state(writer, ranges);
        recovery.compare();
        writer.resume();
        aside.scheduleWithFixedDelay(
                guarded(recovery::abandonUnanswered),
                Recovery.GRACE.toSeconds(),
                Recovery.GRACE.toSeconds(),
                TimeUnit.SECONDS);
        writer.open().join();
        LOG.info(
                "serving {} ms after recovery: {}",
                (System.nanoTime() - start) / 1_000_000,
                options);
    }

    /// From here on the runtime knows of the plugin and takes it for ready.
    private void announce(ReadyFile ready, ScheduledExecutorService aside) throws StartException {
        if (options.mode == Mode.ROUTED) {
            try {
                LOG.info("wrote {}", Conflist.write(options.cniConfDir, options.portmap));
            } catch (IOException e) {
                throw new StartException(
                        "the conflist cannot be written to --cni-conf-dir "
                                + options.cniConfDir
                                + ": "
                                + e);
            }
        }
        ready.touch();
        aside.scheduleAtFixedRate(
                guarded(ready::touch),
                ReadyFile.TOUCH_SECONDS,
                ReadyFile.TOUCH_SECONDS,
                TimeUnit.SECONDS);
        LOG.info("ready");
    }

    /// A scheduled task that throws would never run again, and say nothing.
    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("a task of the daemon's own failed", e);
            }
        };
    }

    private void state(Writer writer, List<Range> ranges) throws StartException {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        writer.submitOwn(started(ranges), answer::complete);
        if (answer.join() instanceof Answer.Refused(var _, var message)) {
            throw new StartException("--pool: " + message);
        }
    }

    private Command.Start started(List<Range> ranges) {
        return new Command.Start(
                new Event.DaemonStarted(
                        version,
                        host.bootId(),
                        BootClock.millis(),
                        host.machineId(),
                        options.digest()),
                ranges);
    }

    private int mtu() {
        return options.mtu == 0 ? NodeMtu.read() : options.mtu;
    }

    /// Run by the JVM on SIGTERM and SIGINT, and when it ends for another reason: asks for the end
    /// and waits for it. An orderly end is exit status 0, where the JVM's own would be 143; every
    /// other status stays.
    private void stop() {
        stopping.countDown();
        try {
            boolean ended = stopped.await(CLOSE_PATIENCE.toSeconds() + 5, TimeUnit.SECONDS);
            if (ended && orderly) {
                Runtime.getRuntime().halt(0);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// What is in memory is void. Nothing is cleaned up, since nothing after this moment may look
    /// as if it had happened.
    private static void halt(Throwable cause) {
        LOG.error(
                "the writer cannot go on; halting, the next start recovers: {}",
                cause.toString(),
                cause);
        Runtime.getRuntime().halt(70);
    }
}
