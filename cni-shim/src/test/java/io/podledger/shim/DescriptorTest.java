package io.podledger.shim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// The descriptor that goes with a request. Java cannot receive one: `src/test/c/receiver.c` does.
@ParameterizedClass
@EnumSource(Build.class)
class DescriptorTest {
    private final Build build;
    @TempDir Path folder;

    DescriptorTest(Build build) {
        this.build = build;
    }

    @Test
    @Tag("netns")
    void theNamespaceItselfArrives() throws IOException {
        Process other = new ProcessBuilder("unshare", "-n", "sh", "-c", "echo in; read _").start();
        try (BufferedReader said = other.inputReader(UTF_8)) {
            assertThat(said.readLine()).isEqualTo("in");
            String path = "/proc/" + other.pid() + "/ns/net";
            assertThat(identity(path)).isNotEqualTo(identity("/proc/self/ns/net"));
            assertThat(received(path)).isEqualTo("0x4E 1 " + identity(path));
        } finally {
            other.destroyForcibly();
        }
    }

    @Test
    void withoutANamespaceTheNullDeviceArrives() throws IOException {
        assertThat(received("")).isEqualTo("0x4E 1 " + identity("/dev/null"));
        Files.delete(folder.resolve("cni.sock"));
        assertThat(received(folder + "/none")).isEqualTo("0x4E 1 " + identity("/dev/null"));
    }

    private String received(String netns) throws IOException {
        Process receiver =
                new ProcessBuilder(
                                Build.target("receiver").toString(),
                                folder.resolve("cni.sock").toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader said = receiver.inputReader(UTF_8)) {
            assertThat(said.readLine()).isEqualTo("ready");
            Plugin.in(folder, build, "CHECK")
                    .with("CNI_NETNS", netns)
                    .run()
                    .failed(11, "ended the call on " + folder);
            return said.readLine();
        } finally {
            receiver.destroyForcibly();
        }
    }

    private static String identity(String path) throws IOException {
        var status = Files.readAttributes(Path.of(path), "unix:dev,ino");
        return status.get("dev") + " " + status.get("ino");
    }
}
