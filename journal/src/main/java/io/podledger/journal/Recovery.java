package io.podledger.journal;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What a start found, and goes on from.
///
/// @param sequence the last record; the new segment follows it
/// @param crc of that record
/// @param cut what has to be said about the end of the segment before
/// @param abandoned the segment that record stands in
/// @param useless segments that hold nothing
record Recovery(
        UUID id,
        long sequence,
        int crc,
        long ledgerMillis,
        int nextNumber,
        Optional<Mark.Cut> cut,
        Optional<LogScan.Part> abandoned,
        List<Integer> useless) {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    /// Reads what is there into `state`, and makes it durable: it may stand in memory only.
    static Recovery run(Path folder, State state) throws IOException {
        LogScan scan = LogScan.of(folder);
        scan.refusal().ifPresent(Recovery::refuse);
        scan.damages().forEach(damage -> LOG.warn("Older history is damaged: {}", damage));
        List<LogScan.Part> parts = scan.parts();
        refuseWithoutHead(folder, parts);
        for (int number : scan.unfinished()) {
            Disk.removeFolder(Segment.folder(folder, number));
        }
        if (parts.isEmpty()) {
            return new Recovery(
                    UUID.randomUUID(), 0, 0, 0, 1, Optional.empty(), Optional.empty(), List.of());
        }
        LogScan.Part newest = parts.getLast();
        scan.tail().ifPresent(cut -> LOG.warn("Cut, never confirmed: {} {}", newest.file(), cut));
        Replay.run(newest, (_, chunks) -> state.restore(chunks), state::apply);
        return newest.records() > 0 ? after(newest, scan) : instead(newest, scan);
    }

    /// Goes on behind the newest segment.
    private static Recovery after(LogScan.Part newest, LogScan scan) throws IOException {
        Disk.rewrite(newest.file(), newest.durableEnd(), newest.end());
        return new Recovery(
                newest.opening().head().journal(),
                newest.last().sequence(),
                newest.last().crc(),
                newest.ledgerMillis(),
                newest.opening().head().number() + 1,
                scan.tail(),
                Optional.of(newest),
                scan.superseded());
    }

    /// Goes on from where the newest segment did, for it holds nothing: a start that fails again
    /// and again must not eat the disk.
    private static Recovery instead(LogScan.Part newest, LogScan scan) {
        Opening opening = newest.opening();
        int number = opening.head().number();
        return new Recovery(
                opening.head().journal(),
                opening.base(),
                opening.first().previousCrc(),
                newest.ledgerMillis(),
                number + 1,
                opening.cut(),
                Optional.empty(),
                Stream.concat(scan.superseded().stream(), Stream.of(number)).toList());
    }

    /// Once the new segment is in use. What fails here is done at the next start.
    void cleanUp(Path folder) {
        try {
            for (int number : useless) {
                Disk.removeFolder(Segment.folder(folder, number));
            }
            if (abandoned.isPresent()) {
                Disk.punch(abandoned.get().file(), abandoned.get().end());
                Segment.removeMetadata(folder, abandoned.get().opening().head().number());
            }
        } catch (IOException e) {
            LOG.warn("Could not give back disk space in {}: {}", folder, e.toString());
        }
    }

    private static void refuse(Damage damage) {
        throw new JournalException(damage + " (nothing was changed)");
    }

    private static void refuseWithoutHead(Path folder, List<LogScan.Part> parts)
            throws IOException {
        if (HeadFile.read(folder).isMissing() && parts.stream().anyMatch(p -> p.records() > 0)) {
            throw new JournalException(
                    "%s: HEAD is missing, so the newest segment may be too; restore it from a copy"
                            .formatted(folder));
        }
    }
}
