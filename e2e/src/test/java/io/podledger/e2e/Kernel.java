package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;
import java.util.TreeSet;

/// What a node's kernel holds for pods.
///
/// @param devices host devices of pods
/// @param routes addresses with a route of ours in the main table
/// @param rules addresses with a rule that sends what is for them to the main table
/// @param fromRules addresses with a rule that sends what comes from them to an uplink's table
record Kernel(Set<String> devices, Set<String> routes, Set<String> rules, Set<String> fromRules) {
    static Kernel of(Node node) {
        Kernel kernel =
                new Kernel(new TreeSet<>(), new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
        for (JsonNode link : Pod.json(node.ip("-j", "link"))) {
            if (link.path("ifname").asText().startsWith("eni")) {
                kernel.devices.add(link.path("ifname").asText());
            }
        }
        for (String family : new String[] {"-4", "-6"}) {
            String routes = node.ip(family, "-j", "route", "show", "table", "main", "proto", "112");
            Pod.json(routes).forEach(route -> kernel.routes.add(route.path("dst").asText()));
            for (JsonNode rule : Pod.json(node.ip(family, "-j", "rule"))) {
                switch (rule.path("priority").asInt()) {
                    case 512 -> kernel.rules.add(rule.path("dst").asText());
                    case 1536 -> kernel.fromRules.add(rule.path("src").asText());
                    default -> {}
                }
            }
        }
        return kernel;
    }

    /// Nothing of any pod.
    static void assertEmpty(Node node) {
        assertThat(of(node)).isEqualTo(new Kernel(Set.of(), Set.of(), Set.of(), Set.of()));
    }

    /// At rest the kernel and the ledger say the same.
    static void assertIsLedger(Node node) {
        Set<String> devices = new TreeSet<>();
        Set<String> addresses = new TreeSet<>();
        for (JsonNode holder : node.state("holder")) {
            assertThat(holder.path("state").asText()).as("%s", holder).isEqualTo("wired");
            assertThat(devices.add(holder.path("hostDevice").asText())).isTrue();
            holder.path("addresses")
                    .forEach(a -> assertThat(addresses.add(a.asText())).as("%s once", a).isTrue());
        }
        Kernel kernel = of(node);
        assertThat(kernel.devices).isEqualTo(devices);
        assertThat(kernel.routes).isEqualTo(addresses);
        assertThat(kernel.rules).isEqualTo(addresses);
    }
}
