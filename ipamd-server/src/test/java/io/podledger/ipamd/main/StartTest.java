package io.podledger.ipamd.main;

import static org.assertj.core.api.Assertions.assertThat;

import io.podledger.ipamd.writer.LedgerState;
import io.podledger.journal.Journal;
import io.podledger.journal.JournalOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Starts that cannot be, and the end of one that can: exit statuses and what people read. In mode
/// `ipam`, which leaves the host's network alone.
class StartTest {
    @TempDir Path folder;

    private Path run;

    @BeforeEach
    void machine() throws Exception {
        run = folder.resolve("run");
        Files.writeString(folder.resolve("machine-id"), "0123456789abcdef\n");
    }

    /// How a process ended, and what it said.
    private record Ended(int status, String text) {}

    private Process start(String... more) throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                System.getProperty("java.home") + "/bin/java",
                                "-XX:TieredStopAtLevel=1",
                                "-XX:+UseSerialGC",
                                "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
                                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                                "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Main.class.getName(),
                                "up",
                                "--mode=ipam",
                                "--state-dir=" + folder.resolve("state"),
                                "--run-dir=" + run,
                                "--machine-id-file=" + folder.resolve("machine-id"),
                                "--segment-size=1"));
        command.addAll(List.of(more));
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }

    private static Ended end(Process process) throws Exception {
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), text);
    }

    private Ended ended(String... more) throws Exception {
        return end(start(more));
    }

    private static void assertRefused(Ended ended, int status, String... says) {
        assertThat(ended.text()).contains(says).doesNotContain("\tat ", "Exception in thread");
        assertThat(ended.status()).isEqualTo(status);
    }

    @Test
    void itRunsUntilSigtermEndsInOrderAndLetsTheJournalGo() throws Exception {
        Process process = start();
        try (var lines = process.inputReader()) {
            assertThat(lines.lines().anyMatch(line -> line.endsWith(" ready"))).isTrue();
            process.toHandle().destroy();
            assertThat(lines.lines().toList()).anyMatch(line -> line.endsWith(" stopped"));
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(folder.resolve("run/ready")).exists();
        assertThat(folder.resolve("run/cni.sock")).doesNotExist();
        open().close();
    }

    private Journal open() {
        return Journal.open(
                folder.resolve("state/journal"), new JournalOptions(1 << 20), new LedgerState());
    }

    @Test
    void poolsThatOverlapAreStatus69() throws Exception {
        assertRefused(
                ended("--pool=10.0.0.0/24", "--pool=10.0.0.0/25"), 69, "--pool", "10.0.0.0/25");
    }

    @Test
    void aWrongOptionIsStatus2AndNamed() throws Exception {
        assertRefused(ended("--mtu=1"), 2, "--mtu", "1280 to 9216");
    }

    @Test
    void aSecondDaemonIsStatus69AndNamesTheFirst() throws Exception {
        Files.createDirectories(folder.resolve("state/journal"));
        try (Journal _ = open()) {
            assertRefused(ended(), 69, "in use by process " + ProcessHandle.current().pid());
        }
    }

    @Test
    void anotherMachinesJournalIsStatus69AndBothAreNamed() throws Exception {
        Process process = start();
        try (var lines = process.inputReader()) {
            assertThat(lines.lines().anyMatch(line -> line.endsWith(" ready"))).isTrue();
            process.toHandle().destroy();
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        Files.writeString(folder.resolve("machine-id"), "fedcba9876543210\n");
        assertRefused(ended(), 69, "0123456789abcdef", "fedcba9876543210", "--state-dir");
        Files.delete(folder.resolve("machine-id"));
        assertRefused(ended(), 69, "0123456789abcdef", "--machine-id-file");
    }

    @Test
    void aSocketThatCannotBeIsStatus69() throws Exception {
        run = folder.resolve("r".repeat(108));

        assertRefused(ended(), 69, "--run-dir", "107");
    }
}
