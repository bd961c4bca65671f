package io.podledger.ipamd.writer;

import static io.podledger.ipamd.writer.Node.device;
import static io.podledger.ipamd.writer.Node.got;
import static io.podledger.ipamd.writer.Node.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.podledger.ipamd.writer.Node.Settings;
import io.podledger.projections.Command;
import io.podledger.projections.Event;
import io.podledger.shim.CniFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpoolTest {
    private static final Settings SETTINGS =
            Settings.USUAL.cidr("10.8.0.0/16").reader(SpoolTest::named);

    @TempDir Path folder;

    /// The test's files hold the name of a container.
    private static Command.Del named(byte[] bytes) {
        String text = new String(bytes, UTF_8);
        return switch (text) {
            case "nonsense" -> throw new IllegalArgumentException("it is nonsense");
            case "poison" -> throw new IllegalStateException("a mistake of the reader's");
            default -> Node.delCommand(text);
        };
    }

    private Path write(String name, String container) throws IOException {
        Path spool = Files.createDirectories(folder.resolve("spool"));
        return Files.writeString(spool.resolve(name), container);
    }

    private static List<String> names(List<Spool.Entry> entries) {
        return entries.stream().map(entry -> entry.command().attachment().containerId()).toList();
    }

    private Spool spool() {
        return new Spool(folder.resolve("spool"), SpoolTest::named);
    }

    @Test
    void filesAreTakenOldestFirstAndOnce() throws Exception {
        write("2.del", "b");
        write("1.del", "a");
        write(".3.del", "half");
        write("4.txt", "other");
        Spool spool = spool();

        assertThat(names(spool.look().entries())).containsExactly("a", "b");
        assertThat(spool.look().entries()).isEmpty();
    }

    @Test
    void aFileGoesWhenItIsDone() throws Exception {
        Path file = write("1.del", "a");
        Spool.Entry entry = spool().look().entries().getFirst();
        assertThat(file).exists();

        entry.done();
        assertThat(file).doesNotExist();
        entry.done();
    }

    @Test
    void whatIsNoSpooledDelIsSetAside() throws Exception {
        write("1.del", "nonsense");
        write("2.del", "poison");
        write("3.del", "x".repeat(CniFrame.BYTES_MAX + 1));
        Files.createDirectories(folder.resolve("spool/4.del"));
        write("5.del", "a");
        Spool spool = spool();

        assertThat(names(spool.look().entries())).containsExactly("a");
        assertThat(folder.resolve("spool"))
                .isDirectoryContaining("glob:**/1.del.unreadable")
                .isDirectoryContaining("glob:**/2.del.unreadable")
                .isDirectoryContaining("glob:**/3.del.unreadable")
                .isDirectoryContaining("glob:**/4.del.unreadable");
        assertThat(spool.look().more()).isFalse();
    }

    @Test
    void aFolderThatIsNotThereHoldsNothingAndOneThatCannotBeListedIsNotTakenForEmpty()
            throws Exception {
        assertThat(spool().look()).isEqualTo(new Spool.Look(List.of(), false, false));

        Files.writeString(folder.resolve("spool"), "a file");
        assertThat(spool().look().failed()).isTrue();
    }

    @Test
    void whatComesAfterALongEmptyTimeIsTaken() throws Exception {
        Path spoolFolder = Files.createDirectories(folder.resolve("spool"));
        Files.setLastModifiedTime(spoolFolder, FileTime.from(Instant.now().minusSeconds(60)));
        Spool spool = spool();
        assertThat(spool.look().entries()).isEmpty();
        assertThat(spool.look().entries()).isEmpty();

        write("1.del", "a");

        assertThat(names(spool.look().entries())).containsExactly("a");
    }

    @Test
    void whatComesInTheSameInstantAsALookIsTaken() throws Exception {
        Path spoolFolder = Files.createDirectories(folder.resolve("spool"));
        Spool spool = spool();
        for (int i = 0; i < 100; i++) {
            assertThat(spool.look().entries()).isEmpty();
            FileTime before = Files.getLastModifiedTime(spoolFolder);
            write(i + ".del", "c" + i);
            Files.setLastModifiedTime(spoolFolder, before);

            List<Spool.Entry> entries = spool.look().entries();
            assertThat(names(entries)).containsExactly("c" + i);
            entries.getFirst().done();
        }
    }

    @Test
    void whatAKilledPluginLeftIsRemovedAfterAnHour() throws Exception {
        Path old = write(".1.del", "half");
        Path fresh = write(".2.del", "half");
        Files.setLastModifiedTime(old, FileTime.from(Instant.now().minus(Duration.ofHours(2))));

        spool().look();

        assertThat(old).doesNotExist();
        assertThat(fresh).exists();
    }

    @Test
    void theWholeSpoolComesBeforeTheFirstCall() throws Exception {
        int files = 2 * Spool.TAKEN_MAX + 7;
        for (int i = 0; i < files; i++) {
            write("%05d.del".formatted(i), "c" + i);
        }
        try (Node node = new Node(folder, SETTINGS, new FakeWiring())) {
            CompletableFuture<Answer> add = node.addIpam("late");
            node.writer.open();

            assertThat(got(add)).isInstanceOf(Answer.Granted.class);
            until("all are done", () -> isEmpty(folder.resolve("spool")));
        }
        List<Event> facts = Node.facts(folder);
        int last =
                facts.indexOf(
                        facts.stream()
                                .filter(Event.DelReceived.class::isInstance)
                                .reduce((_, second) -> second)
                                .orElseThrow());
        int reserved =
                facts.indexOf(
                        facts.stream()
                                .filter(Event.AddressReserved.class::isInstance)
                                .findFirst()
                                .orElseThrow());
        assertThat(facts).filteredOn(Event.DelReceived.class::isInstance).hasSize(files);
        assertThat(last).isLessThan(reserved);
    }

    @Test
    void aSpooledDelTearsDownAndItsFileStaysUntilThen() throws Exception {
        try (Node node = Node.open(folder, SETTINGS)) {
            got(node.add("a"));
            CountDownLatch gate = node.wiring.hold("unwire");
            Path file = write("1.del", "a");
            until("teardown has begun", () -> node.wiring.called("unwire " + device("a")));

            assertThat(Node.facts(folder)).anyMatch(Event.DelReceived.class::isInstance);
            assertThat(file).exists();
            gate.countDown();
            until("it is done", () -> Files.notExists(file));
            assertThat(node.state("a")).isEmpty();
        }
    }

    @Test
    void aSpoolThatCannotBeListedStopsNoCallAndDelaysTheOpening() throws Exception {
        Path spool = folder.resolve("spool");
        try (Node node = new Node(folder, SETTINGS, new FakeWiring())) {
            Files.delete(spool);
            Files.writeString(spool, "a file");
            CompletableFuture<Boolean> opened = node.writer.open();
            node.read(_ -> true);
            node.read(_ -> true);
            assertThat(opened).isNotDone();

            Files.delete(spool);
            assertThat(got(opened)).isTrue();
            Files.writeString(spool, "a file");
            assertThat(got(node.add("a"))).isInstanceOf(Answer.Granted.class);
        }
    }

    private static boolean isEmpty(Path folder) {
        try (var files = Files.list(folder)) {
            return files.findAny().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
