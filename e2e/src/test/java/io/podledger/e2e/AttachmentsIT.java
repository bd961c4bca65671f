package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// An attachment is network, container and interface: none of them alone.
@Tag("netns")
@Tag("ping")
class AttachmentsIT {
    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void twoInterfacesOfAContainerHaveLivesOfTheirOwn() {
        node.up("--pool", "10.99.1.0/24");
        Pod web = node.pod("web", "c1");
        String first = web.address();
        String second = address(web.call("ADD", "net1", Pod.config("podledger"), Map.of()));
        assertThat(second).isNotEqualTo(first);
        assertThat(node.state("holder")).hasSize(2);

        web.call("DEL", "net1", Pod.config("podledger"), Map.of()).ok();

        assertThat(node.reaches(first)).isTrue();
        assertThat(node.reaches(second)).isFalse();
        web.call("CHECK").ok();
        Kernel.assertIsLedger(node);
        web.del();
        Kernel.assertEmpty(node);
    }

    @Test
    void twoNetworksMayUseOneContainerIdAndInterface() {
        node.up("--pool", "10.99.1.0/24");
        Pod web = node.pod("web", "c1");
        Pod twin = node.pod("twin", "c1");
        String first = web.address();
        String second = address(twin.call("ADD", "eth0", Pod.config("other"), Map.of()));
        assertThat(second).isNotEqualTo(first);

        web.del();

        assertThat(node.reaches(second)).isTrue();
        twin.call("CHECK", "eth0", Pod.config("other"), Map.of()).ok();
        assertThat(node.state("holder"))
                .singleElement()
                .matches(holder -> holder.path("network").asText().equals("other"));
        Kernel.assertIsLedger(node);
    }

    @Test
    void namesAsLongAsKubernetesHasThemAreKeptWhole() {
        String name = "w".repeat(253);
        String id = "c".repeat(64);
        node.up("--pool", "10.99.1.0/24");
        Pod web = node.pod(name, id);
        String address = web.address();

        node.kill().up("--pool", "10.99.1.0/24");

        assertThat(web.address()).isEqualTo(address);
        assertThat(node.reaches(address)).isTrue();
        JsonNode holder = node.state("holder").getFirst();
        assertThat(holder.path("podName").asText()).isEqualTo(name);
        assertThat(holder.path("containerId").asText()).isEqualTo(id);
        assertThat(node.replay("pod", "shop/" + name).ok().out()).contains(address);
        web.del();
        Kernel.assertEmpty(node);
    }

    @Test
    void theMtuIsTheNetworksOrTheDaemons() {
        node.up("--pool", "10.99.1.0/24", "--mtu", "1400");
        Pod web = node.pod("web", "c1");
        Pod cart = node.pod("cart", "c2");
        web.add();

        String own =
                """
                {"cniVersion":"1.1.0","name":"podledger","type":"podledger","mtu":8000}
                """;
        JsonNode result = Pod.json(cart.call("ADD", "eth0", own, Map.of()).ok().out());

        assertThat(mtus(web)).containsOnly(1400);
        assertThat(mtus(cart)).containsOnly(8000);
        assertThat(result.path("interfaces")).allMatch(i -> i.path("mtu").asInt() == 8000);
    }

    /// Of both ends.
    private List<Integer> mtus(Pod pod) {
        JsonNode inside = Pod.json(pod.exec("ip", "-j", "link", "show", "eth0").ok().out()).path(0);
        String device =
                node.state("holder").stream()
                        .filter(h -> h.path("containerId").asText().equals(pod.containerId()))
                        .map(h -> h.path("hostDevice").asText())
                        .findFirst()
                        .orElseThrow();
        JsonNode outside = Pod.json(node.ip("-j", "link", "show", device)).path(0);
        return List.of(inside.path("mtu").asInt(), outside.path("mtu").asInt());
    }

    private static String address(Shell.Result added) {
        return Pod.addresses(Pod.json(added.ok().out())).getFirst();
    }
}
