package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Two daemons for one node.
@Tag("netns")
class SecondDaemonIT {
    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void theSecondNamesTheFirstAndTouchesNothing() {
        node.up("--pool", "10.99.1.0/24");
        Pod web = node.pod("web", "c1");
        String address = web.address();
        // What the first writes by the clock is on disk before this answer.
        node.kill().up("--pool", "10.99.1.0/24");
        web.add();
        var before = files(node.stateDir());
        Kernel kernel = Kernel.of(node);

        var second =
                Shell.run(node.command(List.of(), "--pool", "10.77.0.0/24").toArray(String[]::new));

        assertThat(second.exit()).isEqualTo(69);
        assertThat(second.out() + second.err())
                .contains(String.valueOf(node.process().pid()))
                .doesNotContain("\tat ");
        assertThat(files(node.stateDir())).isEqualTo(before);
        assertThat(Kernel.of(node)).isEqualTo(kernel);
        assertThat(web.address()).isEqualTo(address);
        assertThat(node.pod("cart", "c2").address()).startsWith("10.99.1.");
    }

    /// A hash of what each file holds, by its name.
    private static Map<Path, Integer> files(Path folder) {
        try (var all = Files.walk(folder)) {
            Map<Path, Integer> files = new TreeMap<>();
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(file, Arrays.hashCode(Files.readAllBytes(file)));
            }
            return files;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
