package io.podledger.e2e;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;

/// What must hold over the whole of a node's journal, whatever happened.
final class JournalFacts {
    private JournalFacts() {}

    static void assertSound(Node node) {
        Shell.Result verified = node.replay("verify");
        assertThat(verified.exit()).as(verified.out() + verified.err()).isZero();
        Map<String, Long> restsUntil = new HashMap<>();
        Map<String, String> heldBy = new HashMap<>();
        Map<String, JsonNode> reserved = new HashMap<>();
        long before = 0;
        for (String line : node.replay("events", "--json").ok().out().lines().toList()) {
            JsonNode event = Pod.json(line);
            long now = event.path("ledgerMillis").asLong();
            assertThat(now).as("ledger time goes on: %s", event).isGreaterThanOrEqualTo(before);
            before = now;
            switch (event.path("type").asText()) {
                case "AddressReserved" -> {
                    reserved.put(key(event), event);
                    event.path("addresses")
                            .forEach(a -> reserve(event, a.asText(), now, heldBy, restsUntil));
                }
                case "Released" -> {
                    assertThat(reserved).as("reserved before: %s", event).containsKey(key(event));
                    JsonNode lease = requireNonNull(reserved.remove(key(event)));
                    long until = event.path("coolingUntilMillis").asLong();
                    lease.path("addresses")
                            .forEach(
                                    address -> {
                                        heldBy.remove(address.asText());
                                        restsUntil.put(address.asText(), until);
                                    });
                }
                default -> {}
            }
        }
    }

    private static void reserve(
            JsonNode event,
            String address,
            long now,
            Map<String, String> heldBy,
            Map<String, Long> restsUntil) {
        assertThat(heldBy.put(address, key(event))).as("one holder: %s", event).isNull();
        assertThat(now)
                .as("%s has rested: %s", address, event)
                .isGreaterThanOrEqualTo(restsUntil.getOrDefault(address, 0L));
    }

    private static String key(JsonNode event) {
        return event.path("network").asText()
                + " "
                + event.path("containerId").asText()
                + " "
                + event.path("ifName").asText();
    }
}
