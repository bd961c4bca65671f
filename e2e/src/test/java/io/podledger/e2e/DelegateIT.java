package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Debian's plugins make the network and ask us for addresses alone.
@Tag("netns")
@Tag("ping")
@Tag("cni-plugins")
class DelegateIT {
    private static final String BRIDGE =
            """
            {"cniVersion":"1.0.0","name":"net","type":"bridge","bridge":"br0","isGateway":true,
             "ipam":{"type":"podledger","subnet":"10.88.0.0/24","gateway":"10.88.0.1",
                     "routes":[{"dst":"0.0.0.0/0"}]}}
            """;

    private static final String PTP =
            """
            {"cniVersion":"1.0.0","name":"net","type":"ptp",
             "ipam":{"type":"podledger","subnet":"10.88.0.0/24","gateway":"10.88.0.1",
                     "routes":[{"dst":"0.0.0.0/0"}]}}
            """;

    private final Node node = new Node();

    @BeforeEach
    void start() {
        up();
    }

    @AfterEach
    void close() {
        node.close();
    }

    private void up() {
        node.up("--mode", "ipam", "--pool", "10.88.0.64/28", "--cooldown", "0s");
    }

    @Test
    void podsOnABridgeReachEachOther() {
        podsReachEachOther("bridge", BRIDGE);
    }

    @Test
    void podsOnPointToPointLinksReachEachOther() {
        Shell.run("ip", "netns", "exec", node.name(), "sysctl", "-w", "net.ipv4.ip_forward=1").ok();
        podsReachEachOther("ptp", PTP);
    }

    private void podsReachEachOther(String plugin, String config) {
        Pod web = node.pod("web", "c1");
        Pod cart = node.pod("cart", "c2");
        JsonNode first = Pod.json(call(plugin, "ADD", web, config).ok().out());
        JsonNode second = Pod.json(call(plugin, "ADD", cart, config).ok().out());

        assertThat(first.path("ips").path(0).path("address").asText())
                .matches("10\\.88\\.0\\.\\d+/24");
        assertThat(Pod.addresses(first)).doesNotContainAnyElementsOf(Pod.addresses(second));
        assertThat(web.reaches(Pod.addresses(second).getFirst())).isTrue();
        assertThat(node.state("holder"))
                .hasSize(2)
                .allMatch(holder -> holder.path("mode").asText().equals("ipam"));

        node.kill();
        up();
        call(plugin, "DEL", web, config).ok();
        call(plugin, "DEL", web, config).ok();

        assertThat(node.state("holder"))
                .singleElement()
                .matches(holder -> holder.path("containerId").asText().equals("c2"));
    }

    /// The bridge plugin cannot masquerade without iptables, and gives back what it had from us.
    @Test
    void anAddThatFailsAfterUsHoldsNothing() {
        Pod web = node.pod("web", "c1");
        String masquerading = BRIDGE.replace("\"isGateway\"", "\"ipMasq\":true,\"isGateway\"");

        var result = call("bridge", "ADD", web, masquerading, Map.of("PATH", "/nowhere"));

        assertThat(result.exit()).isNotZero();
        assertThat(result.out()).contains("iptables");
        assertThat(node.events("AddressReserved")).hasSize(1);
        assertThat(node.state("holder")).isEmpty();
    }

    @Test
    void aSubnetThatHoldsNoAddressOfOursIsNamed() {
        Pod web = node.pod("web", "c1");

        var result = call("bridge", "ADD", web, BRIDGE.replace("10.88.0.", "10.77.0."));

        assertThat(result.exit()).isNotZero();
        assertThat(result.out()).contains("ipam.subnet");
        call("bridge", "DEL", web, BRIDGE).ok();
        assertThat(node.state("holder")).isEmpty();
    }

    @Test
    void aDirectCallIsToldTheMode() {
        JsonNode error = node.pod("web", "c1").refused();

        assertThat(error.path("code").asInt()).isEqualTo(7);
        assertThat(error.path("msg").asText()).contains("--mode");
    }

    private Shell.Result call(String plugin, String verb, Pod pod, String config) {
        return call(plugin, verb, pod, config, Map.of());
    }

    private Shell.Result call(
            String plugin, String verb, Pod pod, String config, Map<String, String> changes) {
        Map<String, String> environment = new HashMap<>(pod.environment(verb, "eth0", changes));
        environment.put("CNI_PATH", Node.shim().getParent() + ":" + Tools.CNI_PLUGINS);
        return Shell.run(
                environment,
                config.getBytes(StandardCharsets.UTF_8),
                List.of("ip", "netns", "exec", node.name(), Tools.cniPlugin(plugin).toString()));
    }
}
