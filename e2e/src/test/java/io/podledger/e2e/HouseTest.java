package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a reader may rely on in every source file.
class HouseTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /// A file that needs more is two files.
    private static final int LINES_MAX = 400;

    /// Spelled in pieces, so that this file does not name what it forbids.
    private static final Pattern UNFINISHED =
            Pattern.compile("TO" + "DO|FIX" + "ME|@Dis" + "abled");

    private static final Pattern SLEEP = Pattern.compile("Thread\\.sl" + "eep");

    @Test
    void noSourceFileIsLongerThanOneCanRead() {
        assertThat(sources()).filteredOn(file -> lines(file).size() > LINES_MAX).isEmpty();
    }

    @Test
    void nothingIsLeftForLater() {
        assertThat(sources()).filteredOn(file -> UNFINISHED.matcher(text(file)).find()).isEmpty();
    }

    @Test
    void noTestSleepsForAGuess() {
        assertThat(sources())
                .filteredOn(file -> file.toString().contains("/src/test/"))
                .filteredOn(file -> SLEEP.matcher(text(file)).find())
                .isEmpty();
    }

    private static List<Path> sources() {
        try (Stream<Path> files = Files.walk(ROOT)) {
            List<Path> sources =
                    files.filter(file -> file.toString().matches(".*/src/.*\\.(java|c|h|proto)"))
                            .filter(file -> !file.toString().contains("/target/"))
                            .toList();
            assertThat(sources).hasSizeGreaterThan(20);
            return sources;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        return text(file).lines().toList();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
