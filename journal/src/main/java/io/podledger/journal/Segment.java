package io.podledger.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.rollcycles.LegacyRollCycles;

/// One segment open for writing: a Chronicle queue of its own, in a folder of its own, which never
/// holds more than one file of one mapped block.
///
/// Chronicle opens, repairs and marks every older file it finds in its folder. So it finds none:
/// what was written before is out of its reach, and a lock that a dead writer left is too.
final class Segment implements AutoCloseable {
    /// Chronicle names a file by the clock, and the clock of a segment stands still at zero.
    private static final String FILE = "19700101-0000.cq4";

    /// Chronicle's locks and its list of files.
    private static final String METADATA = "metadata.cq4t";

    private static final TimeProvider NO_TIME = () -> 0;

    /// Chronicle's header in front of each record, padded to 4 bytes.
    static final int FRAME_BYTES = 8;

    /// Chronicle adds a page to its index each 32,768 records.
    private static final int INDEX_BYTES_MAX = 2 * (2048 * 8 + 64);

    private static final long CHRONICLE_TIMEOUT_MILLIS = 500;
    private static final RollCycle CYCLE = LegacyRollCycles.MINUTELY;

    private static final Pattern FOLDER = Pattern.compile("0[0-9]{9}");

    private final int number;
    private final int bytes;
    private final Path file;
    private final SingleChronicleQueue queue;
    private final ExcerptAppender appender;
    private final FileChannel channel;
    private long used;

    private Segment(
            int number,
            int bytes,
            Path file,
            SingleChronicleQueue queue,
            ExcerptAppender appender,
            FileChannel channel) {
        this.number = number;
        this.bytes = bytes;
        this.file = file;
        this.queue = queue;
        this.appender = appender;
        this.channel = channel;
    }

    /// Makes everything a segment needs, apart from records: its disk space above all. This is the
    /// slow part and done ahead of time.
    static Segment prepare(Path journal, int number, int bytes) throws IOException {
        Chronicle.quiet();
        Path folder = Files.createDirectory(folder(journal, number));
        try {
            return prepareIn(folder, number, bytes);
        } catch (IOException | RuntimeException e) {
            Disk.removeFolder(folder);
            throw e;
        }
    }

    static Path folder(Path journal, int number) {
        return journal.resolve("%010d".formatted(number));
    }

    static Path file(Path journal, int number) {
        return folder(journal, number).resolve(FILE);
    }

    /// The numbers of all segments that are there, ascending.
    static List<Integer> numbers(Path journal) throws IOException {
        try (Stream<Path> entries = Files.list(journal)) {
            return entries.map(path -> path.getFileName().toString())
                    .filter(name -> FOLDER.matcher(name).matches())
                    .map(Integer::valueOf)
                    .sorted()
                    .toList();
        }
    }

    private static Segment prepareIn(Path folder, int number, int bytes) throws IOException {
        SingleChronicleQueue queue =
                SingleChronicleQueueBuilder.binary(folder)
                        .rollCycle(CYCLE)
                        .timeProvider(NO_TIME)
                        .blockSize(bytes)
                        .timeoutMS(CHRONICLE_TIMEOUT_MILLIS)
                        .build();
        try {
            // The appender first: it would wait for the header of a file that is there already.
            ExcerptAppender appender = queue.createAppender();
            appender.singleThreadedCheckDisabled(true);
            Path file = folder.resolve(FILE);
            Disk.allocate(file, bytes);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
            channel.force(true);
            Disk.syncFolder(folder);
            Disk.syncFolder(folder.resolveSibling(""));
            return new Segment(number, bytes, file, queue, appender, channel);
        } catch (IOException | RuntimeException e) {
            queue.close();
            throw e;
        }
    }

    /// Of no use once nobody writes.
    static void removeMetadata(Path journal, int number) throws IOException {
        Files.deleteIfExists(folder(journal, number).resolve(METADATA));
    }

    int number() {
        return number;
    }

    Path file() {
        return file;
    }

    /// Whether the last sixteenth is reached: it is for the records of one more command.
    boolean isNearlyFull() {
        return used >= bytes - (bytes >> 4);
    }

    /// Whether a record with so much payload can still be written.
    boolean hasRoomFor(int payload) {
        return used + payload + Envelope.HEADER_BYTES + FRAME_BYTES + INDEX_BYTES_MAX <= bytes;
    }

    /// Puts a whole record at the end. If this throws, nobody knows what stands in the file.
    void write(byte[] record) {
        appender.writeBytes(Bytes.wrapForRead(record));
        used = appender.wire().bytes().writePosition();
    }

    /// Makes what was written durable. Chronicle's own sync does not.
    void force() throws IOException {
        channel.force(false);
    }

    /// The same with the file's size, which Chronicle sets at the first record.
    void forceAll() throws IOException {
        channel.force(true);
    }

    @Override
    public void close() {
        appender.close();
        queue.close();
        try {
            channel.close();
            Files.deleteIfExists(file.resolveSibling(METADATA));
        } catch (IOException _) {
            // Nothing is lost: the file was synced before, and the metadata is never read.
        }
    }
}
