package io.podledger.shim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The two waits that are tried for real; `SystemCallsTest` has the other bounds.
class PatienceTest {
    @TempDir Path folder;

    /// Takes the 15 s.
    @Test
    void aDELIsKeptWhenTheDaemonSaysNothing() throws IOException {
        try (var daemon = new FakeDaemon(folder, FakeDaemon.silence())) {
            Plugin plugin = Plugin.in(folder, Build.STATIC, "DEL");
            plugin.run().silent();
            assertThat(plugin.spooled()).hasSize(1);
            assertThat(daemon.requests()).hasSize(1);
        }
    }

    /// Takes the 10 s that stdin has: a writer that always has one byte more is no reason to stay.
    @Test
    void stdinMustEndInTime() {
        Plugin plugin =
                Plugin.in(folder, Build.STATIC, "DEL")
                        .shell(
                                "mkfifo \"$PIPE\"; "
                                        + "(while sleep 0.2 && printf x; do :; done) "
                                        + ">\"$PIPE\" 2>&1 & "
                                        + "\"$0\" <\"$PIPE\"; code=$?; kill $!; exit $code");
        plugin.with("PIPE", folder + "/pipe").run().failed(6, "stdin did not end within 10 s");
        assertThat(plugin.spooled()).isEmpty();
    }
}
