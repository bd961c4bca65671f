package io.podledger.ipamd.writer;

import io.podledger.projections.Command;
import io.podledger.shim.CniFrame;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder where the plugin writes down each DEL that the daemon could not take. The writer
/// looks into it before every batch, so a spooled DEL comes before any later command for its
/// attachment; a file goes when what it caused is durable.
public final class Spool {
    /// Files taken in one look.
    static final int TAKEN_MAX = 256;

    /// What could not be read is tried again, and leftovers are looked for, in this interval.
    private static final Duration TIDY_EVERY = Duration.ofMinutes(1);

    /// A plugin writes its file within seconds: a hidden one that is older was left by one that was
    /// killed, and its runtime never got an answer.
    private static final Duration LEFTOVER_AGE = Duration.ofHours(1);

    /// File systems tell times apart that lie this far from one another: two seconds on the
    /// coarsest, a few milliseconds on those of Linux.
    private static final Duration TIME_GRAIN = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(Spool.class);

    /// Understands a file's bytes.
    public interface Reader {
        /// @throws IllegalArgumentException saying why the bytes are not a spooled DEL
        Command.Del read(byte[] bytes);
    }

    /// One DEL. [#done] says that what it caused is durable.
    record Entry(Command.Del command, Path file, Set<Path> underWay) {
        void done() {
            try {
                Files.deleteIfExists(file);
                underWay.remove(file);
            } catch (IOException e) {
                LOG.warn("{} is done and cannot be removed: {}", file, e.toString());
            }
        }
    }

    /// What one look found.
    ///
    /// @param entries the DELs that are new since the last look, oldest first
    /// @param more there are further ones: look again
    /// @param failed the folder could not be listed, and nothing is known
    record Look(List<Entry> entries, boolean more, boolean failed) {}

    private final Path folder;
    private final Reader reader;
    private final Set<Path> underWay = new HashSet<>();
    private final Set<Path> passedOver = new HashSet<>();

    /// When the folder last changed, where that left it empty: nothing came since, unless it has
    /// changed again.
    private Optional<FileTime> emptySince = Optional.empty();

    private long tidyAtNanos = System.nanoTime();
    private boolean failed;

    public Spool(Path folder, Reader reader) {
        this.folder = folder;
        this.reader = reader;
    }

    Look look() {
        if (System.nanoTime() - tidyAtNanos >= 0) {
            tidyAtNanos = System.nanoTime() + TIDY_EVERY.toNanos();
            passedOver.clear();
            emptySince = Optional.empty();
            removeLeftovers();
        }
        List<Path> files = new ArrayList<>();
        try {
            Optional<FileTime> changed = changed();
            if (changed.isPresent() && changed.equals(emptySince)) {
                return new Look(List.of(), false, false);
            }
            Instant now = Instant.now();
            files.addAll(list("[!.]*.del"));
            failed = false;
            emptySince =
                    changed.filter(
                            time ->
                                    files.isEmpty()
                                            && time.toInstant().isBefore(now.minus(TIME_GRAIN)));
        } catch (IOException e) {
            complainOnce(e);
            return new Look(List.of(), false, true);
        }
        files.removeIf(file -> underWay.contains(file) || passedOver.contains(file));
        files.sort(Comparator.comparing(path -> path.getFileName().toString()));
        List<Entry> entries = new ArrayList<>();
        for (Path file : files.subList(0, Math.min(files.size(), TAKEN_MAX))) {
            read(file, entries);
        }
        return new Look(entries, files.size() > TAKEN_MAX, false);
    }

    private void complainOnce(IOException e) {
        if (!failed) {
            LOG.error("the spool {} cannot be listed, its DELs wait: {}", folder, e.toString());
        }
        failed = true;
    }

    private Optional<FileTime> changed() throws IOException {
        try {
            return Optional.of(Files.getLastModifiedTime(folder));
        } catch (NoSuchFileException _) {
            return Optional.empty();
        }
    }

    private List<Path> list(String glob) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, glob)) {
            stream.forEach(files::add);
        } catch (NoSuchFileException _) {
            files.clear();
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return files;
    }

    private void read(Path file, List<Entry> entries) {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
                    || Files.size(file) > CniFrame.BYTES_MAX) {
                setAside(file, "no file of at most " + CniFrame.BYTES_MAX + " bytes");
                return;
            }
            Command.Del command = reader.read(Files.readAllBytes(file));
            underWay.add(file);
            entries.add(new Entry(command, file, underWay));
        } catch (IOException e) {
            passedOver.add(file);
            LOG.warn("{} cannot be read and is looked at again: {}", file, e.toString());
        } catch (RuntimeException e) {
            setAside(file, String.valueOf(e.getMessage()));
        }
    }

    /// Kept for people to look at: nothing that a runtime said is thrown away unread.
    private void setAside(Path file, String why) {
        try {
            Path aside = file.resolveSibling(file.getFileName() + ".unreadable");
            Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
            LOG.error("{} is no spooled DEL ({}): kept as {}", file, why, aside.getFileName());
        } catch (IOException e) {
            passedOver.add(file);
            LOG.error(
                    "{} is no spooled DEL ({}) and cannot be set aside: {}",
                    file,
                    why,
                    e.toString());
        }
    }

    private void removeLeftovers() {
        Instant oldest = Instant.now().minus(LEFTOVER_AGE);
        try {
            for (Path file : list(".*.del")) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(oldest)) {
                    Files.deleteIfExists(file);
                    LOG.info("{} was left half-written by a plugin: removed", file);
                }
            }
        } catch (IOException e) {
            LOG.warn("leftovers in {} cannot be removed: {}", folder, e.toString());
        }
    }
}
