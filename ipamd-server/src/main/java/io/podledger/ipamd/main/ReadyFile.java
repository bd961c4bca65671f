package io.podledger.ipamd.main;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The file by which the plugin answers STATUS while the daemon is away, as in an upgrade: it does
/// so while the file was touched under 120 s ago.
final class ReadyFile {
    static final int TOUCH_SECONDS = 30;

    /// For so long the plugin trusts it.
    private static final Duration TRUSTED = Duration.ofMinutes(2);

    private static final Logger LOG = LoggerFactory.getLogger(ReadyFile.class);

    private final Path file;

    ReadyFile(Path runDir) {
        this.file = runDir.resolve("ready");
    }

    /// Whether a daemon before this one was ready so lately that the plugin still says so.
    boolean lately() {
        try {
            Instant touched = Files.getLastModifiedTime(file).toInstant();
            return touched.plus(TRUSTED).isAfter(Instant.now());
        } catch (IOException _) {
            return false;
        }
    }

    void touch() {
        try {
            if (Files.notExists(file)) {
                Files.createFile(file);
            }
            Files.setLastModifiedTime(file, FileTime.from(Instant.now()));
        } catch (IOException e) {
            LOG.warn("{} cannot be touched: {}", file, e.toString());
        }
    }
}
