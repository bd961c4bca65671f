package io.podledger.journal;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// What durability needs of Linux beyond Java's own file access.
@SuppressWarnings("restricted")
final class Disk {
    private static final int O_RDWR = 2;
    private static final int O_CLOEXEC = 0x80000;
    private static final int KEEP_SIZE_AND_PUNCH_HOLE = 1 | 2;
    private static final int PAGE_BYTES = 4096;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final MethodHandle OPEN =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("open"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle CLOSE =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("close"),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
    private static final MethodHandle POSIX_FALLOCATE =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("posix_fallocate"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG));
    private static final MethodHandle FALLOCATE =
            LINKER.downcallHandle(
                    LINKER.defaultLookup().findOrThrow("fallocate"),
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_INT,
                            ValueLayout.JAVA_LONG,
                            ValueLayout.JAVA_LONG));

    private Disk() {}

    /// Makes a file whose blocks are all there, so that no later write can find the disk full.
    static void allocate(Path file, long bytes) throws IOException {
        Files.createFile(file);
        int error = withDescriptor(file, fd -> (int) POSIX_FALLOCATE.invokeExact(fd, 0L, bytes));
        if (error != 0) {
            throw new IOException(
                    "no room for %s of %d bytes (errno %d)".formatted(file, bytes, error));
        }
    }

    /// Gives the blocks from `offset` to the end back, the size stays. Only to save space: a file
    /// system that cannot do it leaves the file as it is.
    static void punch(Path file, long offset) throws IOException {
        long from = (offset + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
        long bytes = Files.size(file) - from;
        if (bytes > 0) {
            withDescriptor(
                    file,
                    fd -> (int) FALLOCATE.invokeExact(fd, KEEP_SIZE_AND_PUNCH_HOLE, from, bytes));
        }
    }

    /// Makes names in the folder durable.
    static void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /// Writes what the file holds from `from` to `to` once more, and syncs it. What was read may
    /// stand in memory only; if a sync of it failed once, the kernel takes its pages for clean and
    /// a mere sync would not write them.
    static void rewrite(Path file, long from, long to) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.allocate(1 << 20);
            for (long at = from; at < to; at += buffer.limit()) {
                buffer.clear().limit((int) Math.min(buffer.capacity(), to - at));
                while (buffer.hasRemaining()) {
                    if (channel.read(buffer, at + buffer.position()) < 0) {
                        throw new IOException(file + " became shorter while it was read");
                    }
                }
                buffer.flip();
                while (buffer.hasRemaining()) {
                    channel.write(buffer, at + buffer.position());
                }
            }
            channel.force(true);
        }
        syncFolder(file.resolveSibling("."));
    }

    /// Replaces a small file so that after a power cut it is the old or the new one.
    static void replace(Path file, byte[] content) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel =
                FileChannel.open(
                        temporary,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.wrap(content);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        syncFolder(file.resolveSibling("."));
    }

    /// Removes a folder that holds files only.
    static void removeFolder(Path folder) throws IOException {
        List<Path> files;
        try (var listing = Files.list(folder)) {
            files = listing.toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
        Files.deleteIfExists(folder);
    }

    private interface Call {
        int on(int descriptor) throws Throwable;
    }

    private static int withDescriptor(Path file, Call call) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(file.toString());
            int descriptor = (int) OPEN.invokeExact(name, O_RDWR | O_CLOEXEC);
            if (descriptor < 0) {
                throw new IOException("cannot open " + file);
            }
            try {
                return call.on(descriptor);
            } finally {
                int _ = (int) CLOSE.invokeExact(descriptor);
            }
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
