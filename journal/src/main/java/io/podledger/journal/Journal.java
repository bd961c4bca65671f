package io.podledger.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The log of one node, open for writing by this process alone. For one thread at a time.
///
/// The folder holds LOCK, HEAD and one folder for each segment. Each start begins a new segment
/// behind what it found: a file that another process wrote is never appended to.
///
/// A write or a sync that fails ends the journal: what stands on the disk is then unknown, and only
/// a new start finds out. Every later call throws; the process has to end.
public final class Journal implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
    private static final long SPARE_SECONDS_MAX = 10;

    private final Path folder;
    private final JournalOptions options;
    private final State state;
    private final FolderLock lock;
    private final UUID id;
    private Segment segment;
    private FutureTask<Segment> spare;
    private long sequence;
    private long ledgerMillis;
    private long durable;
    private int previousCrc;
    private @Nullable Throwable broken;
    private boolean unconfirmed;
    private boolean closed;

    private Journal(
            Path folder, JournalOptions options, State state, FolderLock lock, Recovery found)
            throws IOException {
        this.folder = folder;
        this.options = options;
        this.state = state;
        this.lock = lock;
        this.id = found.id();
        this.sequence = found.sequence();
        this.durable = found.sequence();
        this.previousCrc = found.crc();
        this.ledgerMillis = found.ledgerMillis();
        this.segment = Segment.prepare(folder, found.nextNumber(), options.segmentBytes());
        try {
            begin(segment, found.cut());
        } catch (IOException | RuntimeException e) {
            segment.close();
            throw e;
        }
        this.spare = prepareSpare();
    }

    /// Locks the folder, recovers what is there into `state`, and begins a new segment with a
    /// snapshot of it.
    ///
    /// @throws JournalException if another process has the folder, if records that were confirmed
    ///   are damaged or missing, or if the disk fails. Nothing has been changed then.
    public static Journal open(Path folder, JournalOptions options, State state) {
        try {
            Files.createDirectories(folder);
            FolderLock lock = FolderLock.take(folder);
            try {
                Recovery found = Recovery.run(folder, state);
                var journal = new Journal(folder, options, state, lock, found);
                found.cleanUp(folder);
                return journal;
            } catch (IOException | RuntimeException e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw new JournalException("cannot open the journal %s: %s".formatted(folder, e), e);
        }
    }

    /// Begins a new segment if the present one is nearly full: to be called before the state moves
    /// on, since the new segment starts with a snapshot of it. One sixteenth of a segment is left
    /// for what is appended until the next call.
    ///
    /// @throws JournalException if no disk space is to be had: nothing was written, the journal can
    ///   be used on until its segment is full
    public void rollIfDue() {
        check();
        if (segment.isNearlyFull()) {
            Segment next = takeSpare();
            guarded(() -> roll(next));
        }
    }

    /// Puts one record at the end. Not durable before [#sync].
    ///
    /// @param type below 0x7F00, or from 0x8000 to 0xFFFF
    /// @param ledgerMillis not before that of the last record
    /// @param payload at most 1 MiB, and less than a sixteenth of a segment to be sure of its place
    /// @return the record's sequence
    /// @throws JournalException if the record is not allowed or has no room: nothing was written
    public long append(int type, long ledgerMillis, byte[] payload) {
        check();
        refuseUnless(type >= 0 && type <= 0xFFFF && !Mark.isJournals(type), () -> "type " + type);
        refuseUnless(
                ledgerMillis >= this.ledgerMillis,
                () -> "ledger time %d before %d".formatted(ledgerMillis, this.ledgerMillis));
        refuseUnless(
                payload.length <= Envelope.PAYLOAD_BYTES_MAX,
                () ->
                        "a payload of %d bytes, at most %d are allowed"
                                .formatted(payload.length, Envelope.PAYLOAD_BYTES_MAX));
        refuseUnless(
                segment.hasRoomFor(payload.length),
                () ->
                        "%d bytes, segment %d is full; roll first, or use larger segments"
                                .formatted(payload.length, segment.number()));
        guarded(() -> write(segment, type, ledgerMillis, payload));
        unconfirmed = true;
        return sequence;
    }

    /// Makes everything appended so far durable. Confirm nothing before.
    public void sync() {
        check();
        guarded(this::force);
    }

    /// Notes that everything so far is durable, if it is and no record says so yet: a reader of a
    /// journal at rest need not doubt its last batch then. Nobody waits for the note's own sync.
    public void confirm() {
        check();
        if (unconfirmed && durable == sequence && segment.hasRoomFor(0)) {
            guarded(() -> write(segment, new Mark.Confirmed()));
            unconfirmed = false;
        }
    }

    /// The sequence of the newest record, the journal's own included.
    public long sequence() {
        return sequence;
    }

    /// The ledger time of the newest record in ms, 0 in an empty log.
    public long ledgerMillis() {
        return ledgerMillis;
    }

    /// The journal's own identity, a random UUID made with the folder.
    public String id() {
        return id.toString();
    }

    /// Syncs what was appended, unless the journal is broken, and lets the folder go.
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try (lock) {
            if (broken == null) {
                force();
            }
            segment.close();
            discardSpare();
        } catch (IOException e) {
            throw new JournalException("%s could not be synced: %s".formatted(folder, e), e);
        } finally {
            broken = new IllegalStateException("closed");
        }
    }

    private void roll(Segment next) throws IOException {
        force();
        Segment full = segment;
        segment = next;
        begin(next, Optional.empty());
        full.close();
        spare = prepareSpare();
    }

    /// Writes the opening, makes it durable, then names it in HEAD: only then it may be used.
    private void begin(Segment next, Optional<Mark.Cut> cut) throws IOException {
        List<Mark> marks = new ArrayList<>();
        cut.ifPresent(marks::add);
        state.snapshot().forEach(chunk -> marks.add(new Mark.Chunk(chunk)));
        Envelope first = write(next, new Mark.Head(id, next.number(), marks.size()));
        marks.forEach(mark -> write(next, mark));
        refuseUnless(
                !next.isNearlyFull(), () -> "a snapshot that fills a segment; use larger segments");
        next.forceAll();
        HeadFile.write(folder, first);
        durable = sequence;
    }

    private Envelope write(Segment to, Mark mark) {
        byte[] payload = mark.payload();
        refuseUnless(
                payload.length <= Envelope.PAYLOAD_BYTES_MAX && to.hasRoomFor(payload.length),
                () ->
                        "a snapshot's chunk of %d bytes; use larger segments"
                                .formatted(payload.length));
        return write(to, mark.type(), ledgerMillis, payload);
    }

    private Envelope write(Segment to, int type, long millis, byte[] payload) {
        var record =
                Envelope.seal(
                        type,
                        sequence + 1,
                        millis,
                        System.currentTimeMillis(),
                        durable,
                        previousCrc,
                        payload);
        to.write(record.bytes());
        sequence = record.sequence();
        previousCrc = record.crc();
        ledgerMillis = millis;
        return record;
    }

    private void force() throws IOException {
        if (durable < sequence) {
            segment.force();
            durable = sequence;
        }
    }

    private FutureTask<Segment> prepareSpare() {
        int number = segment.number() + 1;
        var task = new FutureTask<>(() -> Segment.prepare(folder, number, options.segmentBytes()));
        Thread.ofPlatform().daemon().name("journal-spare").start(task);
        return task;
    }

    private Segment takeSpare() {
        try {
            return spare.get(SPARE_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            spare = prepareSpare();
            throw new JournalException("no new segment to be had: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new JournalException("no new segment to be had for 10 s: the disk hangs", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JournalException("interrupted while waiting for a new segment", e);
        }
    }

    /// Waits for it in any case: once the lock is gone, no thread of ours may touch the folder.
    private void discardSpare() throws IOException {
        try {
            Segment unused = spare.get(SPARE_SECONDS_MAX, TimeUnit.SECONDS);
            unused.close();
            Disk.removeFolder(Segment.folder(folder, unused.number()));
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("no spare segment to discard", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void check() {
        if (broken != null) {
            throw new JournalException(
                    "%s cannot be used any more, start anew: %s".formatted(folder, broken), broken);
        }
    }

    private void refuseUnless(boolean allowed, Supplier<String> what) {
        if (!allowed) {
            throw new JournalException("%s does not take %s".formatted(folder, what.get()));
        }
    }

    private interface Step {
        void run() throws IOException;
    }

    /// After a failure in here nobody knows what stands on the disk.
    private void guarded(Step step) {
        try {
            step.run();
        } catch (Throwable e) {
            broken = e;
            throw new JournalException(
                    "%s failed at sequence %d and cannot be used any more, start anew: %s"
                            .formatted(segment.file(), sequence + 1, e),
                    e);
        }
    }
}
