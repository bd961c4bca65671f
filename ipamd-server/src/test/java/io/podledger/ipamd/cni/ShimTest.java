package io.podledger.ipamd.cni;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The plugin's binary against the endpoint: the namespace arrives, and leaves nothing open.
class ShimTest {
    private static final Path SHIM = Path.of("..", "cni-shim").toAbsolutePath().normalize();
    private static final String CONFIG =
            "{\"cniVersion\":\"1.0.0\",\"name\":\"net\",\"type\":\"podledger\"}";

    @TempDir Path folder;
    private final String namespace = "pl-s" + ProcessHandle.current().pid();
    private Endpoint endpoint;

    /// What the plugin said.
    private record Said(int status, String text) {}

    @BeforeAll
    static void build() throws Exception {
        run(Map.of(), "", "sh", SHIM.resolve("build.sh").toString());
    }

    @BeforeEach
    void open() throws Exception {
        run(Map.of(), "", "ip", "netns", "add", namespace);
        endpoint = new Endpoint(folder);
    }

    @AfterEach
    void close() throws Exception {
        endpoint.close();
        run(Map.of(), "", "ip", "netns", "delete", namespace);
    }

    private static Said run(Map<String, String> environment, String stdin, String... command)
            throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        try (var in = process.outputWriter(StandardCharsets.UTF_8)) {
            in.write(stdin);
        }
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Said(process.exitValue(), text);
    }

    private Said shim(String command, String netns) throws Exception {
        return run(
                Map.of(
                        "CNI_COMMAND",
                        command,
                        "CNI_CONTAINERID",
                        "c1",
                        "CNI_IFNAME",
                        "eth0",
                        "CNI_NETNS",
                        netns,
                        "CNI_ARGS",
                        "K8S_POD_NAMESPACE=shop;K8S_POD_NAME=web",
                        "PODLEDGER_SOCKET",
                        endpoint.socket.toString(),
                        "PODLEDGER_SPOOL",
                        endpoint.spool.toString()),
                CONFIG,
                SHIM.resolve("target/podledger").toString());
    }

    @Test
    void theNamespaceThatTheRuntimeNamesIsTheOneThatIsWired() throws Exception {
        String netns = "/run/netns/" + namespace;
        Said added = shim("ADD", netns);

        assertThat(added.status()).isZero();
        assertThat(added.text()).contains("\"sandbox\":\"" + netns + "\"", "10.9.0.");
        assertThat(shim("CHECK", netns)).isEqualTo(new Said(0, ""));
        Object inode = Files.getAttribute(Path.of(netns), "unix:ino");
        assertThat(endpoint.wiredInto).hasSize(2).allMatch(inode::equals);
        Descriptors.untilNoneLeadsTo("net:[");
    }

    @Test
    void theHostsOwnNamespaceIsRefusedForAnAddAndIgnoredByADel() throws Exception {
        Said added = shim("ADD", "/proc/self/ns/net");

        assertThat(added.status()).isEqualTo(1);
        assertThat(added.text()).contains("\"code\":8");
        assertThat(endpoint.wiredInto).isEmpty();
        assertThat(shim("DEL", "/proc/self/ns/net")).isEqualTo(new Said(0, ""));
    }

    @Test
    void aDelSucceedsWhateverIsLeftOfItsNamespace() throws Exception {
        assertThat(shim("ADD", "/run/netns/" + namespace).status()).isZero();
        Path plain = Files.createFile(folder.resolve("unmounted"));

        assertThat(shim("DEL", plain.toString())).isEqualTo(new Said(0, ""));
        assertThat(shim("DEL", "")).isEqualTo(new Said(0, ""));
        assertThat(shim("DEL", "/nowhere")).isEqualTo(new Said(0, ""));
    }

    @Test
    void aDelThatAStoppedDaemonCannotTakeIsSpooled() throws Exception {
        endpoint.stopWriter();

        assertThat(shim("DEL", "")).isEqualTo(new Said(0, ""));
        assertThat(spooled()).hasSize(1);
        assertThat(SpooledDel.read(Files.readAllBytes(spooled().getFirst())).attachment())
                .hasToString("Attachment[network=net, containerId=c1, ifName=eth0]");
    }

    private List<Path> spooled() throws IOException {
        List<Path> files = new ArrayList<>();
        try (var stream = Files.newDirectoryStream(endpoint.spool, "*.del")) {
            stream.forEach(files::add);
        }
        return files;
    }
}
