package io.podledger.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.podledger.projections.Holder;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Ledger;
import io.podledger.projections.PoolCounts;
import io.podledger.projections.Range;
import io.podledger.projections.Resting;
import io.podledger.projections.Suspect;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;

/// The whole ledger at a place, for a person and for a script.
record StateAnswer(Ledger ledger, Opened.Place place) {
    private static final String ROW = "%-9s  %-39s  %s%n";

    /// One object for each thing; `kind` says which: pool, range, holder, cooling or suspect.
    void json(PrintWriter out) {
        out.println(pool());
        ledger.ranges().forEach(r -> out.println(range(r)));
        ledger.holders().forEach(h -> out.println(holder(h)));
        cooling().forEach(r -> out.println(cooling(r)));
        ledger.suspects().forEach(s -> out.println(suspect(s)));
    }

    void text(PrintWriter out, TimeText times) {
        PoolCounts c = counts();
        out.printf(
                "After sequence %d of %s%n",
                place.record().sequence(), times.show(place.record().wallMillis()));
        out.printf(
                "pool   %d addresses: %d free, %d reserved, %d wired, %d releasing, %d cooling,"
                        + " %d suspect%n",
                c.total(),
                c.free(),
                c.reserved(),
                c.wired(),
                c.releasing(),
                c.cooling(),
                c.suspect());
        ledger.ranges().forEach(r -> out.printf("range  %s%n", EventText.range(r)));
        out.printf("fences %d%n", ledger.fences(place.ledgerMillis()));
        out.printf("hash   %s%n%n", EventText.hash(ledger.hash()));
        out.printf(ROW, "STATE", "ADDRESS", "WHO");
        ledger.holders().forEach(h -> row(out, EventText.word(h.state()), h));
        cooling().forEach(r -> out.printf(ROW, "cooling", r.address(), "free in " + seconds(r)));
        ledger.suspects().forEach(s -> row(out, s));
    }

    private PoolCounts counts() {
        return ledger.counts(place.ledgerMillis());
    }

    private List<Resting> cooling() {
        return ledger.resting().stream()
                .filter(r -> r.freeMillis() > place.ledgerMillis())
                .toList();
    }

    private String seconds(Resting resting) {
        return Math.ceilDiv(resting.freeMillis() - place.ledgerMillis(), 1000) + " s";
    }

    private static void row(PrintWriter out, String state, Holder holder) {
        String who =
                EventText.pod(holder.lease().pod())
                        + "  "
                        + EventText.attachment(holder.lease().attachment())
                        + "  "
                        + holder.lease().hostDevice();
        out.printf(
                ROW,
                state,
                list(Subject.addresses(holder.lease().holdings())),
                EventText.plain(who).stripTrailing());
    }

    private static void row(PrintWriter out, Suspect suspect) {
        out.printf(
                ROW,
                "suspect",
                list(suspect.addresses()),
                EventText.plain(suspect.hostDevice() + ": " + suspect.why()));
    }

    private static String list(List<IpAddress> addresses) {
        return addresses.stream().map(IpAddress::toString).collect(Collectors.joining(","));
    }

    private static ObjectNode kind(String kind) {
        return EventJson.object().put("kind", kind);
    }

    private ObjectNode pool() {
        PoolCounts c = counts();
        ObjectNode json =
                kind("pool")
                        .put("sequence", place.record().sequence())
                        .put("time", TimeText.utc(place.record().wallMillis()))
                        .put("ledgerMillis", place.ledgerMillis())
                        .put("stateHash", EventText.hash(ledger.hash()))
                        .put("total", c.total())
                        .put("free", c.free())
                        .put("reserved", c.reserved())
                        .put("wired", c.wired())
                        .put("releasing", c.releasing())
                        .put("cooling", c.cooling())
                        .put("suspect", c.suspect())
                        .put("fences", ledger.fences(place.ledgerMillis()));
        place.older().ifPresent(older -> json.put("alsoSequence", older.sequence()));
        return json;
    }

    private static ObjectNode range(Range range) {
        ObjectNode json = kind("range");
        EventJson.range(json, range);
        return json;
    }

    private static ObjectNode holder(Holder holder) {
        ObjectNode json = kind("holder");
        EventJson.holder(json, holder);
        return json;
    }

    private static ObjectNode cooling(Resting resting) {
        return kind("cooling")
                .put("address", resting.address().toString())
                .put("coolingUntilMillis", resting.freeMillis());
    }

    private static ObjectNode suspect(Suspect suspect) {
        ObjectNode json = kind("suspect").put("hostDevice", suspect.hostDevice());
        EventJson.addresses(json, suspect.addresses());
        return json.put("reason", suspect.why()).put("sinceMillis", suspect.sinceMillis());
    }
}
