package io.podledger.journal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Looks into journal folders, copies and damages them.
final class Folders {
    private Folders() {}

    static Path copy(Path from, Path to) throws IOException {
        try (var tree = Files.walk(from)) {
            for (Path path : tree.toList()) {
                Files.copy(path, to.resolve(from.relativize(path)));
            }
        }
        return to;
    }

    /// Everything that would show a change: names, sizes, times of change.
    static Map<String, String> fingerprint(Path folder) throws IOException {
        var entries = new TreeMap<String, String>();
        try (var tree = Files.walk(folder)) {
            for (Path path : tree.toList()) {
                entries.put(
                        folder.relativize(path).toString(),
                        Files.getLastModifiedTime(path) + " " + Files.size(path));
            }
        }
        return entries;
    }

    /// Where the record's own bytes start in its segment.
    static long offsetOf(Path segment, long sequence) throws IOException {
        try (var file = new SegmentFile(segment)) {
            Optional<Envelope> next = file.next();
            while (next.isPresent()) {
                if (next.get().sequence() == sequence) {
                    return file.offset() - align(next.get().bytes().length);
                }
                next = file.next();
            }
        }
        throw new IllegalArgumentException("no record " + sequence + " in " + segment);
    }

    /// Turns one byte of the record around, in the middle of its payload.
    static void damage(Path segment, long sequence) {
        try {
            overwrite(segment, offsetOf(segment, sequence) + Envelope.HEADER_BYTES + 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void overwrite(Path file, long offset) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, offset);
            one.put(0, (byte) ~one.get(0));
            channel.write(one.flip(), offset);
        }
    }

    private static int align(int bytes) {
        return (bytes + 3) & ~3;
    }
}
