package io.podledger.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.podledger.journal.Damage;
import io.podledger.journal.SegmentInfo;
import io.podledger.journal.Summary;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// Is the journal what was written, and does it make sense?
@Command(
        name = "verify",
        description = {
            "Checks every record (checksum, chain), every fact (can it follow, do the invariants"
                    + " hold after it) and every state hash and snapshot against a replay."
        },
        footer = {
            "",
            "Records at the end that are not confirmed are no fault: a live daemon writes them, and"
                    + " a killed one leaves them.",
            "",
            "Example: podledger replay verify --state-dir /tmp/copy-of-state",
            "",
            "Exit codes: 0 sound, 1 not, with the places."
        })
final class Verify implements Callable<Integer> {
    /// The invariants look at everything: some milliseconds on a node with a long history.
    private static final int EXAMINED_MAX = 500;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private Where where;

    @Option(
            names = "--thorough",
            description = {
                "Examines the invariants after every record. Without it, a journal of more than "
                        + EXAMINED_MAX
                        + " records is examined that often, evenly spread, and at the end. Whether"
                        + " each fact can follow is checked always."
            })
    private boolean thorough;

    @Override
    public Integer call() {
        TimeText times = where.times();
        try (Opened journal = where.open()) {
            long every = thorough ? 1 : 1 + records(journal.summary()) / EXAMINED_MAX;
            var proof = new Proof(every);
            journal.read(proof);
            proof.end();
            Summary summary = journal.summary();
            where.say(() -> json(summary, proof), () -> text(summary, proof, times));
            return sound(summary, proof) ? Main.ANSWERED : Main.FAILED;
        }
    }

    private static long records(Summary summary) {
        return summary.segments().stream().mapToLong(SegmentInfo::records).sum();
    }

    private static boolean sound(Summary summary, Proof proof) {
        return summary.damages().isEmpty() && proof.faultCount() == 0;
    }

    private static String text(Summary summary, Proof proof, TimeText times) {
        var text = new StringBuilder();
        text.append("journal   %s%n".formatted(summary.journalId()));
        text.append("segments  %d%n".formatted(summary.segments().size()));
        text.append("records   %d%s%n".formatted(proof.records(), span(proof, times)));
        text.append("durable   to sequence %d%s%n".formatted(summary.durable(), tail(proof)));
        text.append(
                "replayed  %d state hashes and %d snapshots agree%s%n"
                        .formatted(proof.hashes(), proof.snapshots(), passedOver(proof)));
        text.append("examined  invariants after %s%n".formatted(examined(proof)));
        proof.known()
                .ifPresent(l -> text.append("hash      %s%n".formatted(EventText.hash(l.hash()))));
        summary.damages().forEach(d -> text.append("DAMAGED   %s%n".formatted(d)));
        proof.faults().forEach(f -> text.append("WRONG     %s%n".formatted(place(summary, f))));
        if (proof.faultCount() > proof.faults().size()) {
            text.append(
                    "          and %d more%n"
                            .formatted(proof.faultCount() - proof.faults().size()));
        }
        return text.append(sound(summary, proof) ? "sound" : "NOT SOUND")
                .append(System.lineSeparator())
                .toString();
    }

    private static String span(Proof proof, TimeText times) {
        return proof.first()
                .flatMap(
                        first ->
                                proof.last()
                                        .map(
                                                last ->
                                                        ", sequence %d of %s to %d of %s"
                                                                .formatted(
                                                                        first.sequence(),
                                                                        times.show(
                                                                                first.wallMillis()),
                                                                        last.sequence(),
                                                                        times.show(
                                                                                last
                                                                                        .wallMillis()))))
                .orElse("");
    }

    private static String tail(Proof proof) {
        return proof.unconfirmed() == 0
                ? ""
                : "; %d records after it are not confirmed, as on a live journal"
                        .formatted(proof.unconfirmed());
    }

    private static String examined(Proof proof) {
        return proof.every() == 1
                ? "every record"
                : "each %d records and at the end; --thorough does it after every one"
                        .formatted(proof.every());
    }

    private static String passedOver(Proof proof) {
        return proof.passedOver() == 0
                ? ""
                : "; %d records of unknown types, which may be passed over"
                        .formatted(proof.passedOver());
    }

    private static String place(Summary summary, Proof.Fault fault) {
        return EventText.plain(
                file(summary, fault) + ", sequence " + fault.sequence() + ": " + fault.what());
    }

    private static String file(Summary summary, Proof.Fault fault) {
        return summary.segments().stream()
                .filter(s -> s.lastSequence() >= fault.sequence())
                .findFirst()
                .map(s -> s.file().toString())
                .orElse("the journal's end");
    }

    private static ObjectNode json(Summary summary, Proof proof) {
        ObjectNode json =
                EventJson.object()
                        .put("sound", sound(summary, proof))
                        .put("journalId", summary.journalId())
                        .put("records", proof.records())
                        .put("lastSequence", summary.lastSequence())
                        .put("durableSequence", summary.durable())
                        .put("unconfirmed", proof.unconfirmed())
                        .put("passedOver", proof.passedOver())
                        .put("hashesProved", proof.hashes())
                        .put("snapshotsProved", proof.snapshots())
                        .put("invariantsEvery", proof.every());
        proof.known().ifPresent(l -> json.put("stateHash", EventText.hash(l.hash())));
        var segments = json.putArray("segments");
        summary.segments().forEach(s -> segments.add(segment(s)));
        var faults = json.putArray("faults");
        summary.damages().forEach(d -> faults.add(damage(d)));
        proof.faults().forEach(f -> faults.add(fault(summary, f)));
        return json.put("faultCount", summary.damages().size() + proof.faultCount());
    }

    private static ObjectNode segment(SegmentInfo s) {
        return EventJson.object()
                .put("file", s.file().toString())
                .put("firstSequence", s.firstSequence())
                .put("lastSequence", s.lastSequence())
                .put("records", s.records())
                .put("bytes", s.bytes());
    }

    private static ObjectNode damage(Damage d) {
        return EventJson.object()
                .put("file", d.file().toString())
                .put("offset", d.offset())
                .put("sequence", d.sequence())
                .put("reason", d.what());
    }

    private static ObjectNode fault(Summary summary, Proof.Fault f) {
        return EventJson.object()
                .put("file", file(summary, f))
                .put("sequence", f.sequence())
                .put("reason", f.what());
    }
}
