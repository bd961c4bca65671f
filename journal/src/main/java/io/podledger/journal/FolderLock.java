package io.podledger.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Keeps every second writer out. The kernel drops the lock when its holder dies, however it dies;
/// the file stays and names the holder's pid.
final class FolderLock implements AutoCloseable {
    private static final String NAME = "LOCK";

    private final FileChannel channel;

    private FolderLock(FileChannel channel) {
        this.channel = channel;
    }

    static FolderLock take(Path folder) throws IOException {
        Path file = folder.resolve(NAME);
        FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            if (!locked(channel)) {
                throw new JournalException(
                        "%s is in use by process %s; stop it first, two writers are never allowed"
                                .formatted(folder, holder(file)));
            }
            channel.truncate(0);
            channel.write(StandardCharsets.US_ASCII.encode(ProcessHandle.current().pid() + "\n"));
            return new FolderLock(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException _) {
            return false;
        }
    }

    private static String holder(Path file) throws IOException {
        String pid = Files.readString(file, StandardCharsets.US_ASCII).strip();
        return pid.isEmpty() ? "(unknown)" : pid;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
