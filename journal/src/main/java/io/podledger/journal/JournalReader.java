package io.podledger.journal;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Reads a journal without writing a byte into its folder: beside a live daemon, or a copy.
public final class JournalReader implements AutoCloseable {
    /// Where reading starts.
    public enum From {
        /// The oldest segment that is there.
        OLDEST,
        /// The newest snapshot that can be read.
        NEWEST_SNAPSHOT
    }

    /// Gets what stands in the log, in its order.
    public interface Visitor {
        /// The state as it stood after the record `sequence`. Comes once at the head of each
        /// segment: the first one has to be restored, a later one can be compared, and one that
        /// follows [#damage] has to be restored again.
        void snapshot(long sequence, List<byte[]> chunks);

        /// One of the state's records; the journal's own are not shown.
        ///
        /// @param confirmed whether a later record says that this one was synced
        void record(LogRecord record, boolean confirmed);

        /// Records are missing here, or may be: more of this follows, [#snapshot], or nothing.
        void damage(Damage damage);
    }

    private static final int LOOKS_MAX = 10;

    private final LogScan scan;

    private JournalReader(LogScan scan) {
        this.scan = scan;
    }

    /// Looks through the whole log once, checking every record, so that [#summary] is known.
    ///
    /// @throws JournalException if the folder holds no journal or cannot be read
    public static JournalReader open(Path folder) {
        try {
            LogScan scan = scan(folder);
            if (scan.parts().isEmpty() && scan.damages().isEmpty()) {
                throw new JournalException("%s holds no journal".formatted(folder));
            }
            return new JournalReader(scan);
        } catch (IOException e) {
            throw new JournalException("cannot read the journal %s: %s".formatted(folder, e), e);
        }
    }

    /// What the look at [#open] found; a live journal has moved on since.
    public Summary summary() {
        return scan.summary();
    }

    /// Shows the log up to the end that [#summary] names.
    public Summary read(From from, Visitor visitor) {
        Summary summary = summary();
        List<LogScan.Part> parts = scan.parts();
        int first = from == From.OLDEST ? 0 : Math.max(0, parts.size() - 1);
        List<Damage> elsewhere = elsewhere(summary.damages());
        try {
            for (LogScan.Part part : parts.subList(first, parts.size())) {
                long begin = part.opening().first().sequence();
                elsewhere.stream().filter(d -> d.sequence() <= begin).forEach(visitor::damage);
                elsewhere.removeIf(d -> d.sequence() <= begin);
                Replay.run(
                        part,
                        visitor::snapshot,
                        r -> visitor.record(r, r.sequence() <= summary.durable()));
                summary.damages().stream()
                        .filter(damage -> damage.file().equals(part.file()))
                        .forEach(visitor::damage);
            }
        } catch (IOException e) {
            throw new JournalException("reading the journal failed: " + e, e);
        }
        elsewhere.forEach(visitor::damage);
        return summary;
    }

    /// Damage of files that no record can be read from, in the order of the log: a segment without
    /// a head, one that is missing at the end, HEAD itself.
    private List<Damage> elsewhere(List<Damage> damages) {
        Set<Path> read = scan.parts().stream().map(LogScan.Part::file).collect(Collectors.toSet());
        return damages.stream()
                .filter(damage -> !read.contains(damage.file()))
                .sorted(Comparator.comparingLong(Damage::sequence))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    @Override
    public void close() {}

    /// A live writer removes segments that hold nothing; then the look is taken again.
    private static LogScan scan(Path folder) throws IOException {
        for (int i = 1; i < LOOKS_MAX; i++) {
            try {
                return LogScan.of(folder);
            } catch (NoSuchFileException _) {
                // the writer was faster
            }
        }
        return LogScan.of(folder);
    }
}
