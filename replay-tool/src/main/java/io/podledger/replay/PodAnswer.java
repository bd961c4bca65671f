package io.podledger.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.podledger.projections.Event;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Ledger;
import java.util.Optional;
import java.util.stream.Collectors;

/// One sandbox of a pod, for a person and for a script.
///
/// @param end the ledger at the journal's end, where it is known
record PodAnswer(PodLife life, Optional<Ledger> end) {
    /// reserved, wired, releasing, released, or none for one that never had an address.
    private String state() {
        if (life.over()) {
            return "released";
        }
        return end.flatMap(ledger -> ledger.holder(life.attachment()))
                .map(holder -> EventText.word(holder.state()))
                .orElse(life.addresses().isEmpty() ? "none" : "unknown");
    }

    ObjectNode json() {
        ObjectNode json = EventJson.attachment(EventJson.object(), life.attachment());
        EventJson.pod(json, life.pod());
        EventJson.addresses(json, life.addresses());
        json.put("state", state());
        life.from().ifPresent(e -> EventJson.place(json, "from", e));
        life.to().ifPresent(e -> EventJson.place(json, "to", e));
        life.facts().forEach(fact -> summary(json, fact.event().orElseThrow()));
        var events = json.putArray("events");
        life.facts().forEach(fact -> events.add(EventJson.entry(fact, subject())));
        if (life.leftOut() > 0) {
            json.put("eventsLeftOut", life.leftOut());
        }
        return json;
    }

    /// The verdict is that of the last DEL.
    private static void summary(ObjectNode json, Event event) {
        if (event instanceof Event.DelReceived del) {
            json.put("verdict", EventText.word(del.verdict()));
            EventJson.owner(json, del.owner());
        }
        if (event instanceof Event.Released released) {
            json.put("cause", EventText.word(released.cause()))
                    .put("evidence", released.evidence());
        }
    }

    private Subject subject() {
        return new Subject(
                Optional.of(life.attachment()), Optional.of(life.pod()), life.addresses(), "");
    }

    String text(TimeText times) {
        var text = new StringBuilder();
        String id = life.attachment().containerId();
        text.append(
                "%s  %s in %s%n"
                        .formatted(
                                EventText.plain(id),
                                EventText.plain(life.attachment().ifName()),
                                EventText.plain(life.attachment().network())));
        text.append("  pod        %s%s%n".formatted(EventText.pod(Optional.of(life.pod())), uid()));
        text.append("  addresses  %s%n".formatted(addresses()));
        text.append("  held       %s%n".formatted(held(times)));
        life.facts().forEach(fact -> text.append(line(fact, times)));
        if (life.leftOut() > 0) {
            text.append("    and %d more facts%n".formatted(life.leftOut()));
        }
        return text.append(System.lineSeparator()).toString();
    }

    private String uid() {
        return life.pod().uid().isEmpty() ? "" : ", uid " + EventText.plain(life.pod().uid());
    }

    private String addresses() {
        return life.addresses().isEmpty()
                ? "none"
                : life.addresses().stream()
                        .map(IpAddress::toString)
                        .collect(Collectors.joining(", "));
    }

    private String held(TimeText times) {
        if (life.from().isEmpty() && !life.inherited()) {
            return "never";
        }
        String from =
                life.from().map(e -> times.show(e.wallMillis())).orElse("before the oldest record");
        String to =
                life.to()
                        .map(e -> times.show(e.wallMillis()))
                        .orElse("the journal's end, " + state());
        return "from " + from + " to " + to;
    }

    private static String line(Entry fact, TimeText times) {
        String details =
                EventText.plain(EventText.details(fact.event().orElseThrow(), fact.ledgerMillis()));
        return "    %s  %d%s  %s  %s"
                        .formatted(
                                times.show(fact.wallMillis()),
                                fact.sequence(),
                                fact.confirmed() ? "" : "?",
                                fact.type(),
                                details)
                        .stripTrailing()
                + System.lineSeparator();
    }
}
