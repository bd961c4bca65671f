package io.podledger.shim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/// A call of the plugin's binary, as a container runtime makes it. Each `with` gives another call.
///
/// @param wrapper words before the binary, such as `strace -o FILE`
record Plugin(List<String> wrapper, Path binary, Map<String, String> environment, byte[] stdin) {
    /// How long a run may take before the test fails: above the longest wait of the plugin.
    static final long SECONDS_MAX = 90;

    private static final Executor THREADS =
            task -> Thread.ofVirtual().name("plugin-stream").start(task);

    record Result(int exit, byte[] output, String errors) {
        String text() {
            return new String(output, UTF_8);
        }

        /// The run failed with this CNI error and said nothing else.
        Result failed(int code, String message) {
            assertThat(text())
                    .startsWith("{\"cniVersion\":\"1.0.0\",\"code\":" + code + ",\"msg\":\"")
                    .contains(message)
                    .doesNotContain("not found")
                    .endsWith("\"}\n");
            assertThat(exit).isEqualTo(1);
            return this;
        }

        /// The run succeeded and said nothing at all.
        Result silent() {
            assertThat(text() + errors).isEmpty();
            assertThat(exit).isZero();
            return this;
        }
    }

    /// A call with the socket `cni.sock` and the spool `spool` in the folder.
    static Plugin in(Path folder, Build build, String command) {
        return new Plugin(List.of(), build.binary(), Map.of(), "{}".getBytes(UTF_8))
                .with("PATH", System.getenv("PATH"))
                .with("PODLEDGER_SOCKET", folder.resolve("cni.sock").toString())
                .with("PODLEDGER_SPOOL", folder.resolve("spool").toString())
                .with("CNI_COMMAND", command)
                .with("CNI_CONTAINERID", "c0ffee")
                .with("CNI_IFNAME", "eth0")
                .with("CNI_ARGS", "K8S_POD_NAMESPACE=default;K8S_POD_NAME=web-0")
                .with("CNI_PATH", "/opt/cni/bin");
    }

    Plugin with(String name, String value) {
        var changed = new TreeMap<>(environment);
        changed.put(name, value);
        return new Plugin(wrapper, binary, changed, stdin);
    }

    Plugin without(String name) {
        var changed = new TreeMap<>(environment);
        changed.remove(name);
        return new Plugin(wrapper, binary, changed, stdin);
    }

    Plugin stdin(byte[] bytes) {
        return new Plugin(wrapper, binary, environment, bytes);
    }

    Plugin under(String... words) {
        return new Plugin(List.of(words), binary, environment, stdin);
    }

    /// Runs a shell that does `script` and becomes the plugin, which is `"$0"` there.
    Plugin shell(String script) {
        return under("sh", "-c", script);
    }

    Process start() {
        var words = new ArrayList<>(wrapper);
        words.add(binary.toString());
        return start(words);
    }

    private Process start(List<String> words) {
        var builder = new ProcessBuilder(words);
        builder.environment().clear();
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "Is it installed? " + words.getFirst() + ": " + e.getMessage(), e);
        }
    }

    Result run(String... arguments) {
        var words = new ArrayList<>(wrapper);
        words.add(binary.toString());
        words.addAll(List.of(arguments));
        Process process = start(words);
        CompletableFuture.runAsync(() -> feed(process.getOutputStream(), stdin), THREADS);
        return result(process);
    }

    /// Waits for the end of a started run. What the plugin says on stderr is a test's business;
    /// what a sanitizer says there fails the test.
    static Result result(Process process) {
        var output = CompletableFuture.supplyAsync(() -> drain(process.getInputStream()), THREADS);
        var errors = CompletableFuture.supplyAsync(() -> drain(process.getErrorStream()), THREADS);
        try {
            if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the plugin still runs after " + SECONDS_MAX + " s");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            throw new AssertionError("interrupted", e);
        }
        String said = new String(errors.join(), UTF_8);
        assertThat(said).doesNotContain("Sanitizer", "runtime error");
        return new Result(process.exitValue(), output.join(), said);
    }

    /// A plugin that has heard enough closes the pipe: that is its right.
    static void feed(OutputStream to, byte[] bytes) {
        try (to) {
            to.write(bytes);
        } catch (IOException _) {
            return;
        }
    }

    private static byte[] drain(InputStream from) {
        try (from) {
            return from.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The message that the daemon is to get of this call, where there is no namespace.
    CniRequest.Builder expected() {
        return CniRequest.newBuilder()
                .setCommand(bytes("CNI_COMMAND"))
                .setContainerId(bytes("CNI_CONTAINERID"))
                .setNetns(bytes("CNI_NETNS"))
                .setIfName(bytes("CNI_IFNAME"))
                .setArgs(bytes("CNI_ARGS"))
                .setPath(bytes("CNI_PATH"))
                .setNetnsOverride(bytes("CNI_NETNS_OVERRIDE"))
                .setConfig(ByteString.copyFrom(stdin));
    }

    private ByteString bytes(String name) {
        return ByteString.copyFromUtf8(environment.getOrDefault(name, ""));
    }

    /// The spool's files under final names.
    List<Path> spooled() {
        Path folder = Path.of(environment.getOrDefault("PODLEDGER_SPOOL", ""));
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (var files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// What a spool file holds; fails where it is not one whole request.
    static CniRequest read(Path file) {
        try {
            return CniRequest.parseFrom(CniFrame.payload(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new UncheckedIOException(file + " is not whole", e);
        }
    }
}
