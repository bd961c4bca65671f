package io.podledger.shim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What the plugin does where no daemon answers, or none is needed.
@ParameterizedClass
@EnumSource(Build.class)
class AloneTest {
    private final Build build;
    @TempDir Path folder;

    AloneTest(Build build) {
        this.build = build;
    }

    private Plugin plugin(String command) {
        return Plugin.in(folder, build, command);
    }

    @Test
    void VERSIONNeedsNoDaemon() {
        Plugin.Result result = plugin("VERSION").run();
        assertThat(result.text())
                .isEqualTo(
                        "{\"cniVersion\":\"1.1.0\",\"supportedVersions\":"
                                + "[\"0.3.1\",\"0.4.0\",\"1.0.0\",\"1.1.0\"]}\n");
        assertThat(result.exit()).isZero();
    }

    @Test
    void aPersonLearnsTheVersionOfThePlugin() {
        Plugin.Result result = plugin("").run("--version");
        assertThat(result.text()).matches("podledger CNI plugin [0-9.]+\n");
        assertThat(result.exit()).isZero();
    }

    @Test
    void withoutACommandItSaysWhatItIs() {
        Plugin.Result missing = plugin("").without("CNI_COMMAND").run();
        missing.failed(4, "CNI_COMMAND is missing");
        assertThat(missing.errors()).contains("a container runtime calls it");
        plugin("").run().failed(4, "CNI_COMMAND is missing");
    }

    @Test
    void VERSIONReadsItsStdinToTheEnd() {
        Plugin plugin = plugin("VERSION").stdin(new byte[900_000]);
        Plugin.Result result = plugin.shell("{ cat && echo whole >&2; } | \"$0\"").run();
        assertThat(result.text()).contains("supportedVersions");
        assertThat(result.errors()).isEqualTo("whole\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ADD", "CHECK", "GC", "SURPRISE"})
    void withoutADaemonACallIsToBeTriedAgain(String command) {
        Plugin plugin = plugin(command);
        plugin.run().failed(11, "does not listen on " + folder + "/cni.sock");
        assertThat(plugin.spooled()).isEmpty();
    }

    @Test
    void anErrorIsJSONWhateverThePathHolds() {
        String script = "PODLEDGER_SOCKET=$(printf '/a\"b\\\\c\\n\\377') exec \"$0\"";
        plugin("ADD").shell(script).run().failed(11, "/a\\\"b\\\\c\\u000a?\",\"details\"");
    }

    @Test
    void aSocketPathThatIsTooLongIsToldWithItsBound() {
        Plugin plugin = plugin("ADD").with("PODLEDGER_SOCKET", "/" + "s".repeat(5000));
        plugin.run().failed(11, "in at most 107 bytes");
        Plugin del = plugin("DEL").with("PODLEDGER_SOCKET", "/" + "s".repeat(108));
        del.run().silent();
        assertThat(del.spooled()).hasSize(1);
    }

    @Test
    void aFullBacklogIsAsGoodAsNobody() throws IOException {
        var address = UnixDomainSocketAddress.of(folder.resolve("cni.sock"));
        try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(address, 1);
            try (var _ = SocketChannel.open(address);
                    var _ = SocketChannel.open(address)) {
                Plugin del = plugin("DEL");
                plugin("ADD").run().failed(11, "does not listen on " + folder);
                del.run().silent();
                assertThat(del.spooled()).hasSize(1);
            }
        }
    }

    @Test
    void STATUSSucceedsWhileADaemonWasReadyLately() throws IOException {
        plugin("STATUS").run().failed(50, "does not listen on " + folder);
        Path ready = Files.createFile(folder.resolve("ready"));
        plugin("STATUS").run().silent();
        for (Duration age : List.of(Duration.ofMinutes(3), Duration.ofMinutes(-3))) {
            Files.setLastModifiedTime(ready, FileTime.from(Instant.now().minus(age)));
            plugin("STATUS").run().failed(50, "does not listen on " + folder);
        }
        plugin("ADD").run().failed(11, "does not listen on " + folder);
    }

    @ParameterizedTest
    @ValueSource(strings = {"ADD", "DEL"})
    void stdinHasAtMost1000000Bytes(String command) {
        Plugin plugin = plugin(command);
        plugin.stdin(new byte[10 << 20]).run().failed(6, "more than 1000000 bytes");
        plugin.stdin(new byte[1_000_001]).run().failed(6, "more than 1000000 bytes");
        assertThat(plugin.spooled()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"<&-", "</", "</dev/null"})
    void noStdinIsAnEmptyOne(String redirection) throws IOException {
        Plugin plugin = plugin("CHECK").stdin(new byte[0]);
        try (var daemon = new FakeDaemon(folder, FakeDaemon.answer(0, ""))) {
            plugin.shell("exec \"$0\" " + redirection).run().silent();
            assertThat(daemon.request()).isEqualTo(plugin.expected().build());
        }
    }

    @Test
    void aDELWithoutAnyStreamIsKeptAllTheSame() {
        Plugin plugin = plugin("DEL").stdin(new byte[0]);
        plugin.shell("exec \"$0\" <&- >&- 2>&-").run().silent();
        assertThat(plugin.spooled()).hasSize(1);
        assertThat(Plugin.read(plugin.spooled().getFirst()).toBuilder().clearSpooled().build())
                .isEqualTo(plugin.expected().build());
    }

    @Test
    void aCallThatIsTooLargeForAFrameIsRefused() {
        byte[] config = "x".repeat(1_000_000).getBytes(UTF_8);
        Plugin plugin = plugin("DEL").stdin(config).with("CNI_ARGS", "a".repeat(100_000));
        plugin.run().failed(4, "together longer than 1048480 bytes");
        assertThat(plugin.spooled()).isEmpty();
    }

    @Test
    void aVariableOf100KBPasses() {
        Plugin plugin = plugin("DEL").with("CNI_ARGS", "a".repeat(100_000));
        plugin.run().silent();
        assertThat(Plugin.read(plugin.spooled().getFirst()).getArgs().size()).isEqualTo(100_000);
    }
}
