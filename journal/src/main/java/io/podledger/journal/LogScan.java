package io.podledger.journal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One look through a whole folder, without changing anything: which segments make up the log,
/// where it ends, and whether it is what was written.
///
/// The rule at the newest segment's end: reading stops behind record N. If a whole record can still
/// be found further on which says that N+1 was synced, then confirmed records are damaged. If not,
/// what stands behind N was never confirmed, and is the unfinished end.
final class LogScan {
    /// A segment of the log.
    ///
    /// @param last its last record that belongs to the log
    /// @param records how many of the state's it has
    /// @param end where its last record ends
    /// @param durableEnd where its last record ends that is known to be synced
    record Part(
            Path file,
            Opening opening,
            Envelope last,
            long ledgerMillis,
            long records,
            long end,
            long durableEnd) {}

    private final Path folder;
    private final List<Part> parts = new ArrayList<>();
    private final List<Integer> unfinished = new ArrayList<>();
    private final List<Integer> unreadable = new ArrayList<>();
    private final List<Integer> superseded = new ArrayList<>();
    private final List<Damage> damages = new ArrayList<>();
    private final List<Damage> cuts = new ArrayList<>();
    private Optional<Damage> refusal = Optional.empty();
    private Optional<Mark.Cut> tail = Optional.empty();
    private long durable;

    private LogScan(Path folder) {
        this.folder = folder;
    }

    static LogScan of(Path folder) throws IOException {
        var scan = new LogScan(folder);
        scan.run();
        return scan;
    }

    /// Oldest first.
    List<Part> parts() {
        return parts;
    }

    /// Segments whose opening was never finished: a start or a roll was killed.
    List<Integer> unfinished() {
        return unfinished;
    }

    /// Segments without a record of the state, replaced by the next one.
    List<Integer> superseded() {
        return superseded;
    }

    List<Damage> damages() {
        return damages;
    }

    /// Why nothing may be written to this log, if so.
    Optional<Damage> refusal() {
        return refusal;
    }

    /// What has to be cut off the newest segment.
    Optional<Mark.Cut> tail() {
        return tail;
    }

    Summary summary() {
        List<SegmentInfo> segments = parts.stream().map(LogScan::info).toList();
        return new Summary(
                parts.isEmpty() ? "" : parts.getLast().opening().head().journal().toString(),
                segments,
                parts.isEmpty() ? 0 : parts.getLast().last().sequence(),
                durable,
                List.copyOf(damages),
                List.copyOf(cuts));
    }

    private static SegmentInfo info(Part part) {
        return new SegmentInfo(
                part.file(),
                part.opening().head().number(),
                part.opening().first().sequence(),
                part.last().sequence(),
                part.records(),
                part.end());
    }

    private void run() throws IOException {
        // HEAD before the list: a segment that it names is on disk by then.
        HeadFile head = HeadFile.read(folder);
        List<Opening> openings = openings(head);
        unreadable(0, openings.isEmpty() ? Integer.MAX_VALUE : number(openings, 0), head);
        for (int i = 0; i < openings.size(); i++) {
            Opening opening = openings.get(i);
            Optional<Opening> next =
                    i + 1 < openings.size() ? Optional.of(openings.get(i + 1)) : Optional.empty();
            if (next.isPresent() && next.get().base() == opening.base()) {
                supersede(opening);
            } else {
                walk(opening, next);
            }
            int before = next.isPresent() ? number(openings, i + 1) : Integer.MAX_VALUE;
            unreadable(number(openings, i), before, head);
        }
        head.check(openings, unreadable).ifPresent(damage -> damaged(damage, true));
    }

    private static int number(List<Opening> openings, int index) {
        return openings.get(index).head().number();
    }

    /// Says what is lost between two segments that can be read.
    private void unreadable(int after, int before, HeadFile head) {
        long sequence = parts.isEmpty() ? 1 : parts.getLast().last().sequence() + 1;
        for (int number : unreadable) {
            if (after < number && number < before) {
                damaged(
                        Segment.file(folder, number),
                        0,
                        sequence,
                        "the segment's head or snapshot is damaged",
                        number == head.number());
            }
        }
    }

    /// A start went on from the same record, since nothing stood in here.
    private void supersede(Opening opening) throws IOException {
        int number = opening.head().number();
        try (var file = new SegmentFile(Segment.file(folder, number))) {
            file.seek(opening.end());
            if (file.next().isPresent()) {
                damaged(
                        file.path(),
                        opening.end(),
                        opening.last().sequence() + 1,
                        "two segments go on from the same record; move one of them away",
                        true);
            }
        }
        superseded.add(number);
    }

    /// The openings of all segments, those left out that were never finished.
    private List<Opening> openings(HeadFile head) throws IOException {
        List<Opening> openings = new ArrayList<>();
        List<Integer> numbers = Segment.numbers(folder);
        for (int number : numbers) {
            Path path = Segment.file(folder, number);
            Optional<Opening> opening = opening(path);
            if (opening.isPresent()) {
                openings.add(opening.get().withoutSnapshot());
            } else if (!head.covers(number, numbers.getLast())) {
                unfinished.add(number);
            } else {
                unreadable.add(number);
            }
        }
        return openings;
    }

    private static Optional<Opening> opening(Path path) throws IOException {
        if (!Files.exists(path)) {
            return Optional.empty();
        }
        try (var file = new SegmentFile(path)) {
            return Opening.read(file);
        }
    }

    private void walk(Opening opening, Optional<Opening> next) throws IOException {
        Path path = Segment.file(folder, opening.head().number());
        long endSequence = next.map(Opening::base).orElse(Long.MAX_VALUE);
        try (var file = new SegmentFile(path)) {
            var walk = new Walk(file, opening, endSequence);
            walk.run();
            if (next.isPresent()) {
                checkEnd(walk, next.get());
            } else {
                checkTail(walk);
            }
            durable = Math.max(durable, walk.durable);
            parts.add(walk.part());
        }
    }

    /// An older segment has to end exactly where the next one goes on.
    private void checkEnd(Walk walk, Opening next) {
        durable = Math.max(durable, next.base());
        if (!next.head().journal().equals(walk.opening.head().journal())) {
            damagedAt(walk, "the next segment belongs to another journal", true);
        } else if (walk.last.crc() != next.first().previousCrc()) {
            boolean missing = walk.stop() != SegmentFile.Stop.BROKEN && isGap(walk.opening, next);
            damagedAt(
                    walk,
                    "records up to %d are %s"
                            .formatted(
                                    next.base(),
                                    missing
                                            ? "missing: put the segments back from a copy"
                                            : "damaged"),
                    missing);
        }
        next.cut()
                .ifPresent(
                        cut ->
                                cuts.add(
                                        new Damage(
                                                walk.file.path(),
                                                cut.offset(),
                                                next.first().sequence(),
                                                "cut at a start, had never been confirmed")));
    }

    /// Whether a whole segment may have stood between the two.
    private boolean isGap(Opening opening, Opening next) {
        int before = opening.head().number();
        int after = next.head().number();
        return after > before + 1
                && unreadable.stream().noneMatch(lost -> before < lost && lost < after);
    }

    private void checkTail(Walk walk) throws IOException {
        SegmentFile.Beyond beyond = walk.file.beyond(walk.last.sequence());
        long stopped = walk.last.sequence();
        if (beyond.durable() > stopped) {
            // A live writer may have gone on meanwhile; then N+1 is whole by now.
            walk.run();
        }
        if (beyond.durable() > stopped && walk.last.sequence() == stopped) {
            damagedAt(
                    walk,
                    "confirmed records up to at least %d are damaged; restore the file from a copy"
                            .formatted(beyond.durable()),
                    true);
        } else if (walk.stop() != SegmentFile.Stop.EMPTY || beyond.sequence() > stopped) {
            tail =
                    Optional.of(
                            new Mark.Cut(
                                    walk.opening.head().number(),
                                    walk.file.offset(),
                                    beyond.sequence()));
        }
    }

    private void damagedAt(Walk walk, String what, boolean refuse) {
        damaged(walk.file.path(), walk.file.offset(), walk.last.sequence() + 1, what, refuse);
    }

    private void damaged(Path file, long offset, long sequence, String what, boolean refuse) {
        damaged(new Damage(file, offset, sequence, what), refuse);
    }

    private void damaged(Damage damage, boolean refuse) {
        damages.add(damage);
        if (refuse && refusal.isEmpty()) {
            refusal = Optional.of(damage);
        }
    }

    /// Follows the chain through one segment.
    private static final class Walk {
        final SegmentFile file;
        final Opening opening;
        private final long endSequence;
        Envelope last;
        long durable;
        private long ledgerMillis;
        private long records;
        private long durableEnd;
        private boolean chainBroken;

        Walk(SegmentFile file, Opening opening, long endSequence) {
            this.file = file;
            this.opening = opening;
            this.endSequence = endSequence;
            this.last = opening.last();
            this.ledgerMillis = opening.first().ledgerMillis();
            this.durable = opening.last().durable();
            this.durableEnd = opening.end();
            file.seek(opening.end());
        }

        void run() throws IOException {
            file.seek(file.offset());
            chainBroken = false;
            while (last.sequence() < endSequence) {
                long at = file.offset();
                Optional<Envelope> next = file.next();
                if (next.isEmpty()) {
                    return;
                }
                if (!next.get().follows(last.sequence(), last.crc())) {
                    file.seek(at);
                    chainBroken = true;
                    return;
                }
                take(next.get(), at);
            }
        }

        private void take(Envelope next, long at) {
            if (next.durable() > durable) {
                durable = next.durable();
                // Everything up to the batch that this record begins was synced.
                durableEnd = at;
            }
            last = next;
            ledgerMillis = next.ledgerMillis();
            records += next.isJournals() ? 0 : 1;
        }

        SegmentFile.Stop stop() {
            return chainBroken ? SegmentFile.Stop.BROKEN : file.stop();
        }

        Part part() {
            return new Part(
                    file.path(), opening, last, ledgerMillis, records, file.offset(), durableEnd);
        }
    }
}
