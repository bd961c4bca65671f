package io.podledger.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.podledger.projections.Attachment;
import io.podledger.projections.Holder;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Pod;
import java.util.Optional;

/// How an address stood, for a person and for a script.
///
/// @param story already told
record AddressAnswer(IpAddress address, Opened.Place place, AddressStory story) {
    /// reserved, wired, releasing, cooling, free, suspect or outside.
    private String state() {
        return switch (story.standing()) {
            case Standing.Held _ ->
                    story.holder().map(h -> EventText.word(h.state())).orElse("reserved");
            case Standing.Suspected _ -> "suspect";
            case Standing.Unheld _ -> coolingMillis() > 0 ? "cooling" : "free";
            case Standing.Outside _ -> "outside";
        };
    }

    private long coolingMillis() {
        return story.freeMillis() - place.ledgerMillis();
    }

    ObjectNode json() {
        ObjectNode json =
                EventJson.object()
                        .put("address", address.toString())
                        .put("state", state())
                        .put("sequence", place.record().sequence())
                        .put("time", TimeText.utc(place.record().wallMillis()))
                        .put("ledgerMillis", place.ledgerMillis());
        story.holder().ifPresent(h -> EventJson.holder(json, h));
        if (story.standing() instanceof Standing.Suspected(String hostDevice)) {
            json.put("hostDevice", hostDevice);
        }
        if (state().equals("cooling")) {
            json.put("coolingUntilMillis", story.freeMillis());
        }
        story.since().ifPresent(e -> EventJson.place(json, "since", e));
        story.until().ifPresent(e -> EventJson.place(json, "until", e));
        story.former().ifPresent(h -> EventJson.holder(json.putObject("before"), h));
        place.older().ifPresent(older -> json.put("alsoSequence", older.sequence()));
        return json;
    }

    String text(TimeText times) {
        var text = new StringBuilder();
        text.append(
                "%s after sequence %d of %s: %s%n"
                        .formatted(
                                address,
                                place.record().sequence(),
                                times.show(place.record().wallMillis()),
                                headline()));
        story.holder().ifPresent(h -> text.append(who(h)));
        text.append("since      ").append(since(times)).append('\n');
        text.append("until      ").append(until(times)).append('\n');
        story.former().ifPresent(h -> text.append("before     ").append(name(h)).append('\n'));
        return text.toString();
    }

    private String headline() {
        String free = state() + ", held by nobody";
        return switch (story.standing()) {
            case Standing.Held _ ->
                    "held by " + story.holder().map(AddressAnswer::name).orElse("somebody");
            case Standing.Suspected(String device) ->
                    "suspect, withheld because of "
                            + device
                            + ", which the ledger does not explain";
            case Standing.Unheld _ ->
                    free
                            + (coolingMillis() > 0
                                    ? ", free in " + Math.ceilDiv(coolingMillis(), 1000) + " s"
                                    : "");
            case Standing.Outside _ -> "not in any range of the pool";
        };
    }

    private String who(Holder holder) {
        Attachment attachment = holder.lease().attachment();
        return "container  %s%ninterface  %s in network %s%nstate      %s%n"
                .formatted(
                        EventText.plain(attachment.containerId()),
                        EventText.plain(attachment.ifName()),
                        EventText.plain(attachment.network()),
                        state());
    }

    private static String name(Holder holder) {
        Attachment attachment = holder.lease().attachment();
        Optional<Pod> pod = holder.lease().pod();
        return EventText.plain(
                pod.isPresent()
                        ? EventText.pod(pod) + ", container " + attachment.containerId()
                        : "container " + attachment.containerId());
    }

    private String since(TimeText times) {
        return story.since()
                .map(e -> times.show(e.wallMillis()) + " (sequence " + e.sequence() + ")")
                .orElse("before the journal's oldest record");
    }

    private String until(TimeText times) {
        return story.until()
                .map(e -> times.show(e.wallMillis()) + " (sequence " + e.sequence() + ")")
                .orElse("so to the journal's end");
    }
}
