package io.podledger.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.podledger.projections.DelVerdict;
import io.podledger.projections.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Journals that are live, copied, damaged, or written by another version.
class DamageTest {
    @TempDir private Path stateDir;

    private static String container(int number) {
        return "%016d".formatted(number);
    }

    /// A pod comes and goes: four facts.
    private static long cycle(Node node, int number) {
        node.later(200_000);
        node.reserve(container(number), "web-" + number, "10.99.1.64");
        node.wired(container(number));
        node.del(container(number), DelVerdict.RELEASING, Optional.empty());
        return node.released(container(number));
    }

    private static void begin(Node node) {
        node.start();
        node.range("10.99.1.64", 27);
    }

    private Cli run(Path folder, String... args) {
        String[] all =
                Stream.concat(Stream.of(args), Stream.of("--state-dir", folder.toString()))
                        .toArray(String[]::new);
        return Cli.run(all);
    }

    private static Map<String, String> tree(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            var tree = new TreeMap<String, String>();
            files.forEach(file -> tree.put(file.toString(), describe(file)));
            return tree;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String describe(Path file) {
        try {
            String content =
                    Files.isDirectory(file) ? "" : " " + Arrays.hashCode(Files.readAllBytes(file));
            return Files.getLastModifiedTime(file) + " " + Files.size(file) + content;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aLiveJournalIsRead() {
        try (var node = new Node(stateDir, false)) {
            begin(node);
            long durable = cycle(node, 1);
            node.sync();
            long unsynced = node.later(200_000).reserve(container(2), "web-2", "10.99.1.65");

            Cli events = run(stateDir, "events", "--json");
            assertThat(events.code()).isZero();
            JsonNode last = events.json().getLast();
            assertThat(last.get("sequence").asLong()).isEqualTo(unsynced);
            assertThat(last.get("confirmed").asBoolean()).isFalse();
            assertThat(run(stateDir, "events").out()).contains(" " + unsynced + "?");
            Cli verify = run(stateDir, "verify");
            assertThat(verify.code()).isZero();
            assertThat(verify.out()).contains("sound").contains("not confirmed");
            assertThat(run(stateDir, "state").out()).contains("1 reserved");
            assertThat(durable).isLessThan(unsynced);

            node.sync();
            long later = cycle(node, 3);
            node.sync();
            assertThat(run(stateDir, "events", "--json").json().getLast().get("sequence").asLong())
                    .isEqualTo(later);
        }
    }

    @Test
    void nothingIsWritten() {
        try (var node = new Node(stateDir, false)) {
            begin(node);
            cycle(node, 1);
        }
        Map<String, String> before = tree(stateDir);
        run(stateDir, "verify");
        run(stateDir, "events");
        run(stateDir, "state", "--at", "5m ago");
        run(stateDir, "who-had", "10.99.1.64");
        run(stateDir, "pod", "default/web-1");
        assertThat(tree(stateDir)).isEqualTo(before);
    }

    @Test
    void aCopyOfALiveJournalIsRead(@TempDir Path copy) throws IOException {
        try (var node = new Node(stateDir, false)) {
            begin(node);
            cycle(node, 1);
            node.sync();
            copy(stateDir, copy);
            cycle(node, 2);
            node.sync();
        }
        assertThat(run(copy, "verify").code()).isZero();
        assertThat(run(copy, "pod", "default/web-1").code()).isZero();
        assertThat(run(copy, "pod", "default/web-2").code()).isEqualTo(3);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    @Test
    void manySegmentsAndRestartsTellOneStory() {
        int cycles = 3_000;
        try (var node = new Node(stateDir, false)) {
            begin(node);
            for (int i = 0; i < cycles; i++) {
                cycle(node, i);
            }
        }
        try (var node = new Node(stateDir, false)) {
            node.start();
            cycle(node, cycles);
            node.hash();
        }
        JsonNode verify = run(stateDir, "verify", "--json").json().getFirst();
        assertThat(verify.get("faults")).isEmpty();
        assertThat(verify.get("segments").size()).isGreaterThan(2);
        assertThat(verify.get("snapshotsProved").asLong())
                .isEqualTo(verify.get("segments").size() - 1);
        assertThat(verify.get("records").asLong()).isEqualTo(4L * cycles + 8);
        JsonNode early = run(stateDir, "pod", "default/web-7", "--json").json().getFirst();
        assertThat(early.get("state").asText()).isEqualTo("released");
    }

    @Test
    void aFlippedByteIsFoundWithItsPlace() throws IOException {
        long reserved;
        try (var node = new Node(stateDir, false)) {
            begin(node);
            cycle(node, 1);
            reserved = cycle(node, 2) - 3;
            node.sync();
            cycle(node, 3);
            node.sync();
        }
        Path file = flip(container(2));
        Cli verify = run(stateDir, "verify");
        assertThat(verify.code()).isEqualTo(1);
        assertThat(verify.out())
                .contains("DAMAGED   " + file + " at byte ")
                .contains("sequence " + reserved + ":")
                .endsWith("NOT SOUND\n");
        JsonNode fault = run(stateDir, "verify", "--json").json().getFirst().get("faults").get(0);
        assertThat(fault.get("file").asText()).isEqualTo(file.toString());
        assertThat(fault.get("sequence").asLong()).isEqualTo(reserved);
        assertThat(fault.get("offset").asLong()).isPositive();

        Cli events = run(stateDir, "events", "--pod", "default/web-1");
        assertThat(events.out()).contains("Released");
        assertThat(events.err()).startsWith("note: damage: " + file);
    }

    /// Changes the text in the first segment that has it.
    private Path flip(String text) throws IOException {
        byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
        try (Stream<Path> files = Files.walk(stateDir.resolve("journal"))) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                byte[] bytes = Files.readAllBytes(file);
                int at = find(bytes, wanted);
                if (at >= 0) {
                    bytes[at]++;
                    Files.write(file, bytes);
                    return file;
                }
            }
        }
        throw new AssertionError(text + " is in no segment");
    }

    private static int find(byte[] bytes, byte[] wanted) {
        for (int i = 0; i + wanted.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void aTypeThatMayBeIgnoredIsPassedOver() {
        try (var node = new Node(stateDir, false)) {
            begin(node);
            node.writeRaw(0x8abc, new byte[] {1, 2, 3});
            cycle(node, 1);
        }
        Cli verify = run(stateDir, "verify");
        assertThat(verify.code()).isZero();
        assertThat(verify.out()).contains("1 records of unknown types");
        assertThat(run(stateDir, "events").out()).contains("Unknown(0x8abc)");
        assertThat(run(stateDir, "state").code()).isZero();
    }

    @Test
    void aTypeThatMayNotBeIgnoredIsNamedAndTheRestIsShown() {
        long strange;
        try (var node = new Node(stateDir, false)) {
            begin(node);
            strange = node.writeRaw(0x0abc, new byte[] {1, 2, 3});
            cycle(node, 1);
        }
        Cli verify = run(stateDir, "verify");
        assertThat(verify.code()).isEqualTo(1);
        assertThat(verify.out()).contains("WRONG").contains("sequence " + strange);
        Cli events = run(stateDir, "events");
        assertThat(events.code()).isZero();
        assertThat(events.out()).contains("Unknown(0x0abc)", "Released");
        assertThat(events.err()).contains("sequence " + strange);
        Cli state = run(stateDir, "state");
        assertThat(state.code()).isEqualTo(1);
        assertThat(state.err()).contains("is unknown");
        assertThat(run(stateDir, "state", "--at", "" + (strange - 1)).code()).isZero();
    }

    @Test
    void aFactThatCannotFollowIsWrong() {
        long impossible;
        try (var node = new Node(stateDir, false)) {
            begin(node);
            impossible = node.writeUnchecked(new Event.Wired(Node.sandbox("nobody")));
        }
        Cli verify = run(stateDir, "verify");
        assertThat(verify.code()).isEqualTo(1);
        assertThat(verify.out()).contains("sequence " + impossible + ": cannot follow");
    }

    @Test
    void anEmptyJournalFolderIsNoCrash(@TempDir Path folder) throws Exception {
        Files.createDirectory(folder.resolve("journal"));
        Cli cli = Cli.run("events", "--state-dir", folder.toString());
        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.err()).contains("journal").doesNotContain("\tat ");
        assertThat(cli.err().lines().count()).isEqualTo(1);
    }
}
