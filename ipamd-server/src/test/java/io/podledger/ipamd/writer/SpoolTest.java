package io.podledger.ipamd.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

    @TempDir Path folder;

    private final Spool.Reader unread =
            _ -> {
                throw new IllegalArgumentException("not a DEL");
            };

    private Path file(String name, Duration age) throws IOException {
        Path file = Files.createFile(folder.resolve(name));
        Files.setLastModifiedTime(file, FileTime.from(NOW.minus(age)));
        return file;
    }

    @Test
    void whatAKilledPluginLeftHalfWrittenGoesAfterAnHour() throws IOException {
        Path old = file(".1.del", Duration.ofMinutes(61));
        Path young = file(".2.del", Duration.ofMinutes(59));
        Path whole = file("3.del", Duration.ofDays(9));
        Path foreign = file(".keep", Duration.ofDays(9));
        new Spool(folder, unread).removeHalves(NOW);
        assertThat(old).doesNotExist();
        assertThat(young).exists();
        assertThat(whole).exists();
        assertThat(foreign).exists();
    }

    @Test
    void halfWrittenFilesAreNeverTaken() throws IOException {
        Path young = file(".2.del", Duration.ofMinutes(1));
        assertThat(new Spool(folder, unread).take()).isEmpty();
        assertThat(young).exists();
    }

    @Test
    void whatIsNoDELIsKeptAside() throws IOException {
        Path wrong = file("1.del", Duration.ZERO);
        Spool spool = new Spool(folder, unread);
        assertThat(spool.take()).isEmpty();
        assertThat(wrong).doesNotExist();
        assertThat(folder.resolve("1.del.unreadable")).exists();
    }

    @Test
    void aFolderThatIsNotThereIsAnEmptySpool() {
        assertThat(new Spool(folder.resolve("none"), unread).take()).isEmpty();
    }
}
