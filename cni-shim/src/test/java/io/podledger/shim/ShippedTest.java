package io.podledger.shim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What holds only for the file that ships: static, small, the same from every build.
class ShippedTest {
    @TempDir Path folder;

    @Test
    void itNeedsNoLoaderAndNoLibrary() throws IOException {
        String dangerous = "/nowhere/libnothing.so";
        Plugin plugin =
                Plugin.in(folder, Build.STATIC, "CHECK")
                        .with("LD_PRELOAD", dangerous)
                        .with("LD_AUDIT", dangerous)
                        .with("LD_LIBRARY_PATH", "/nowhere")
                        .with("LD_BIND_NOW", "1")
                        .with("GCONV_PATH", "/nowhere")
                        .with("LOCPATH", "/nowhere")
                        .with("GLIBC_TUNABLES", "glibc.malloc.check=3");
        try (var daemon = new FakeDaemon(folder, FakeDaemon.answer(0, ""))) {
            plugin.run().silent();
            assertThat(daemon.request()).isEqualTo(plugin.expected().build());
        }
        assertThat(new String(Files.readAllBytes(Build.STATIC.binary()), UTF_8))
                .startsWith("\u007fELF")
                .doesNotContain("/ld-linux", "/ld-musl");
    }

    @ParameterizedTest
    @ValueSource(ints = {4_000, 1_000_000})
    void itIsResidentWithLessThan2MiBWhileItWaits(int config)
            throws IOException, InterruptedException {
        try (var daemon = new FakeDaemon(folder, FakeDaemon.silence())) {
            Process process = Plugin.in(folder, Build.STATIC, "ADD").start();
            Plugin.feed(process.getOutputStream(), new byte[config]);
            daemon.hear();
            String status = Files.readString(Path.of("/proc", process.pid() + "", "status"));
            process.destroyForcibly();
            String peak = status.replaceAll("(?s).*VmHWM:\\s+(\\d+) kB.*", "$1");
            assertThat(Integer.parseInt(peak)).isLessThan(2048);
        }
    }

    @Test
    void everyBuildGivesTheSameBytes() throws IOException, InterruptedException {
        byte[] shipped = Files.readAllBytes(Build.STATIC.binary());
        for (String name : List.of("one", "another/folder")) {
            Path copy = folder.resolve(name);
            Files.createDirectories(copy.resolve("src/main"));
            run("cp", "-r", "src/main/c", copy.resolve("src/main").toString());
            run("cp", "build.sh", copy.toString());
            run(copy.resolve("build.sh").toString());
            assertThat(copy.resolve("target/podledger")).hasBinaryContent(shipped);
        }
    }

    private static void run(String... words) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(words).inheritIO().start();
        assertThat(process.waitFor(Plugin.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(String.join(" ", words)).isZero();
    }
}
