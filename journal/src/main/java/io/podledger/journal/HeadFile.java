package io.podledger.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The file HEAD: a copy of the newest segment's first record, replaced after each new segment is
/// durable and before it is used. Without it, the loss of the newest segment would not show.
record HeadFile(Path file, boolean damaged, Optional<Envelope> first, int number) {
    private static final String NAME = "HEAD";

    static HeadFile read(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException _) {
            return new HeadFile(file, false, Optional.empty(), 0);
        }
        return Envelope.read(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN))
                .map(first -> of(file, first))
                .orElse(new HeadFile(file, true, Optional.empty(), 0));
    }

    static void write(Path folder, Envelope first) throws IOException {
        Disk.replace(folder.resolve(NAME), first.bytes());
    }

    boolean isMissing() {
        return first.isEmpty() && !damaged;
    }

    /// Whether records of the state may stand in the segment: only after HEAD named it.
    boolean covers(int segment, int newest) {
        return isMissing() ? segment < newest : segment <= number;
    }

    /// Tells what contradicts the segments that are there.
    ///
    /// @param unreadable segments that are there and have been found damaged
    Optional<Damage> check(List<Opening> openings, List<Integer> unreadable) {
        if (unreadable.contains(number)) {
            return Optional.empty();
        }
        if (damaged) {
            return Optional.of(damage(0, "HEAD is damaged; restore it from a copy of the folder"));
        }
        return first.flatMap(named -> check(named, openings));
    }

    private Optional<Damage> check(Envelope named, List<Opening> openings) {
        if (openings.isEmpty() || openings.getLast().head().number() < number) {
            return Optional.of(
                    damage(
                            named.sequence(),
                            "the newest segment, %s, is missing; put it back from a copy"
                                    .formatted(Segment.folder(file.resolveSibling(""), number))));
        }
        return openings.stream()
                .filter(opening -> opening.head().number() == number)
                .filter(opening -> opening.first().crc() != named.crc())
                .findAny()
                .map(
                        opening ->
                                damage(
                                        named.sequence(),
                                        "HEAD and segment %d do not belong together"
                                                .formatted(number)));
    }

    private Damage damage(long sequence, String what) {
        return new Damage(file, 0, sequence, what);
    }

    private static HeadFile of(Path file, Envelope first) {
        return Mark.of(first).orElse(null) instanceof Mark.Head head
                ? new HeadFile(file, false, Optional.of(first), head.number())
                : new HeadFile(file, true, Optional.empty(), 0);
    }
}
