package io.podledger.ipamd.writer;

import io.podledger.projections.Command;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The folder where the plugin writes down each DEL that the daemon could not take. The writer
/// looks into it before every batch, so a spooled DEL comes before any later command for its
/// attachment; a file goes when what it caused is durable.
public final class Spool {
    /// Files taken in one look: the rest come with the next one.
    private static final int TAKEN_MAX = 256;

    /// How old a half-written file must be to be nobody's.
    static final Duration HALF_AGE = Duration.ofHours(1);

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

    private final Path folder;
    private final Reader reader;
    private final Set<Path> underWay = new HashSet<>();

    public Spool(Path folder, Reader reader) {
        this.folder = folder;
        this.reader = reader;
    }

    /// Removes what killed plugins left half-written under hidden names: no success was said for
    /// it. A plugin that is still at it needs less than a second, and is left alone.
    public void removeHalves(Instant now) {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, ".*.del")) {
            for (Path file : stream) {
                if (Files.getLastModifiedTime(file).toInstant().isBefore(now.minus(HALF_AGE))) {
                    Files.deleteIfExists(file);
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("half-written files in {} stay for the next start: {}", folder, e.toString());
        }
    }

    /// The DELs that are new since the last look, oldest first.
    List<Entry> take() {
        List<Path> files = list();
        if (files.isEmpty()) {
            return List.of();
        }
        List<Entry> entries = new ArrayList<>();
        files.sort(Comparator.comparing(path -> path.getFileName().toString()));
        for (Path file : files.subList(0, Math.min(files.size(), TAKEN_MAX))) {
            read(file, entries);
        }
        return entries;
    }

    private List<Path> list() {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder, "[!.]*.del")) {
            for (Path file : stream) {
                if (!underWay.contains(file)) {
                    files.add(file);
                }
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            throw new UncheckedIOException("the spool cannot be listed: " + folder, e);
        }
        return files;
    }

    private void read(Path file, List<Entry> entries) {
        try {
            Command.Del command = reader.read(Files.readAllBytes(file));
            underWay.add(file);
            entries.add(new Entry(command, file, underWay));
        } catch (IllegalArgumentException e) {
            setAside(file, String.valueOf(e.getMessage()));
        } catch (IOException e) {
            LOG.warn("{} cannot be read and is looked at again: {}", file, e.toString());
        }
    }

    /// Kept for people to look at: nothing that a runtime said is thrown away unread.
    private static void setAside(Path file, String why) {
        try {
            Path aside = file.resolveSibling(file.getFileName() + ".unreadable");
            Files.move(file, aside, StandardCopyOption.ATOMIC_MOVE);
            LOG.error("{} is no spooled DEL ({}): kept as {}", file, why, aside.getFileName());
        } catch (IOException e) {
            LOG.error(
                    "{} is no spooled DEL ({}) and cannot be set aside: {}",
                    file,
                    why,
                    e.toString());
        }
    }
}
