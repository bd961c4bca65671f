package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Debian's portmap after us in a chain: a port of the node leads to the pod.
@Tag("netns")
@Tag("cni-plugins")
@Tag("iptables")
class PortmapIT {
    private final Node node = new Node();
    private final Router router = new Router(node, "eth0", "172.31.0");

    @AfterEach
    void close() {
        node.close();
        router.close();
    }

    @Test
    void aHostPortLeadsToThePod() throws IOException {
        Tools.need("iptables", "iptables");
        Tools.need("curl", "curl");
        node.ip("route", "add", "default", "via", router.address());
        node.up("--pool", "10.99.1.0/24", "--portmap");
        Pod web = node.pod("web", "c1");
        JsonNode added = web.add();
        Path page = Files.createDirectory(node.runDir().resolve("www"));
        Files.writeString(page.resolve("hello"), "from the pod");

        Shell.Result chained = portmap("ADD", web, added);

        assertThat(Pod.addresses(Pod.json(chained.ok().out()))).isEqualTo(Pod.addresses(added));
        Process server = serve(web, page);
        try {
            Await.until(
                    Duration.ofSeconds(20),
                    "the host port answers",
                    () -> router.exec(curl()).out().equals("from the pod"));
        } finally {
            server.destroyForcibly();
        }
        portmap("DEL", web, added).ok();
        web.call("DEL", "eth0", withPrevious(Pod.config("podledger"), added), Map.of()).ok();
        Kernel.assertEmpty(node);
    }

    @Test
    void theConflistChainsItWhereAsked() throws IOException {
        node.up("--portmap");

        JsonNode list = Pod.json(Files.readString(node.conflist()));

        assertThat(list.path("plugins"))
                .extracting(plugin -> plugin.path("type").asText())
                .containsExactly("podledger", "portmap");
        assertThat(list.path("cniVersion").asText()).isEqualTo("1.0.0");
    }

    /// CHECK gets what the last plugin of the chain answered.
    @Test
    void checkComparesThePreviousResult() {
        node.up("--pool", "10.99.1.0/24");
        Pod web = node.pod("web", "c1");
        JsonNode added = web.add();
        String wrong = added.toString().replace("10.99.1.", "10.98.1.");

        check(web, added).ok();
        Shell.Result result = check(web, Pod.json(wrong));

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).contains("prevResult");
    }

    private static Shell.Result check(Pod pod, JsonNode previous) {
        return pod.call("CHECK", "eth0", withPrevious(Pod.config("podledger"), previous), Map.of());
    }

    private static String[] curl() {
        return new String[] {"curl", "-s", "-m", "2", "http://172.31.0.2:8080/hello"};
    }

    /// A web server that comes with every JDK.
    private static Process serve(Pod pod, Path page) throws IOException {
        return new ProcessBuilder(
                        "ip",
                        "netns",
                        "exec",
                        pod.namespace(),
                        Path.of(System.getProperty("java.home"), "bin", "jwebserver").toString(),
                        "-b",
                        "0.0.0.0",
                        "-p",
                        "80",
                        "-d",
                        page.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private Shell.Result portmap(String verb, Pod pod, JsonNode previous) {
        String config =
                """
                {"cniVersion":"1.0.0","name":"podledger","type":"portmap","snat":true,
                 "capabilities":{"portMappings":true},
                 "runtimeConfig":{"portMappings":
                   [{"hostPort":8080,"containerPort":80,"protocol":"tcp"}]}}
                """;
        return Shell.run(
                pod.environment(verb, "eth0", Map.of()),
                withPrevious(config, previous).getBytes(StandardCharsets.UTF_8),
                List.of("ip", "netns", "exec", node.name(), Tools.cniPlugin("portmap").toString()));
    }

    private static String withPrevious(String config, JsonNode previous) {
        String text = config.strip();
        return text.substring(0, text.length() - 1) + ",\"prevResult\":" + previous + "}";
    }
}
