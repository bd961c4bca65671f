package io.podledger.replay;

import io.podledger.projections.Attachment;
import io.podledger.projections.Event;
import io.podledger.projections.Pod;
import io.podledger.projections.Range;
import java.util.Locale;
import java.util.Optional;

/// What a fact says beside whom it is about, in one line for a person.
final class EventText {
    private EventText() {}

    static String details(Event event, long ledgerMillis) {
        return switch (event) {
            case Event.DaemonStarted e ->
                    "version "
                            + e.version()
                            + ", boot "
                            + e.bootId()
                            + ", machine "
                            + e.machineId();
            case Event.DaemonStopped e -> e.reason();
            case Event.AddressReserved e -> reserved(e);
            case Event.NamespaceReplaced e -> "another namespace: " + e.netnsPath();
            case Event.AddRefused e -> word(e.reason()) + ": " + e.detail();
            case Event.Wired _ -> "";
            case Event.AddRepeated _ -> "";
            case Event.WiringFailed e -> e.reason();
            case Event.AddAbandoned e -> e.evidence();
            case Event.DelReceived e -> del(e, ledgerMillis);
            case Event.Released e ->
                    word(e.cause())
                            + (e.evidence().isEmpty() ? "" : ": " + e.evidence())
                            + cooling(e.coolingUntilMillis(), ledgerMillis);
            case Event.SandboxObserved e ->
                    "sandbox %s, attempt %d, %s (%s %d)"
                            .formatted(
                                    shortened(e.sandbox().id()),
                                    e.sandbox().attempt(),
                                    word(e.sandbox().state()),
                                    word(e.source()),
                                    e.list());
            case Event.SandboxVanished e ->
                    "sandbox %s (%s %d)".formatted(shortened(e.id()), word(e.source()), e.list());
            case Event.AttachmentMissed e -> "not in the runtime's list " + e.list();
            case Event.AttachmentFound e -> e.evidence();
            case Event.AttachmentSwept e -> e.evidence();
            case Event.OwnerChanged e ->
                    "%s passes from %s to %s"
                            .formatted(
                                    e.sharedDevice(),
                                    attachment(e.before()),
                                    attachment(e.owner()));
            case Event.AttachmentSuspected e -> e.hostDevice() + ": " + e.why();
            case Event.SuspicionCleared e ->
                    e.hostDevice()
                            + ": "
                            + e.evidence()
                            + cooling(e.coolingUntilMillis(), ledgerMillis);
            case Event.RangeAdded e -> range(e.range());
            case Event.RangeRemoved e -> e.first() + "/" + e.prefixLength();
            case Event.StateHashed e -> hash(e.hash()) + " (form " + e.canonicalVersion() + ")";
        };
    }

    static String hash(long hash) {
        return "%016x".formatted(hash);
    }

    /// One of our own constants as people and scripts read it: `WIRING_FAILED` is `wiring-failed`.
    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static String range(Range range) {
        return range.cidr()
                + (range.uplink().isEmpty() ? "" : "@" + range.uplink())
                + (range.table() == 0 ? "" : " table " + range.table());
    }

    static String pod(Optional<Pod> pod) {
        return pod.map(p -> p.namespace() + "/" + p.name()).orElse("-");
    }

    /// The attachment with the first 13 characters of its container: enough to find it again.
    static String attachment(Attachment attachment) {
        return shortened(attachment.containerId())
                + ":"
                + attachment.ifName()
                + "@"
                + attachment.network();
    }

    private static String shortened(String id) {
        return id.length() > 13 ? id.substring(0, 13) : id;
    }

    /// The text on one line and without anything that a terminal would obey.
    static String plain(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints()
                .forEach(
                        c -> {
                            if (Character.isISOControl(c)
                                    || Character.getType(c) == Character.FORMAT) {
                                safe.append("\\u%04x".formatted(c));
                            } else {
                                safe.appendCodePoint(c);
                            }
                        });
        return safe.toString();
    }

    private static String reserved(Event.AddressReserved e) {
        return word(e.mode())
                + (e.hostDevice().isEmpty() ? "" : " on " + e.hostDevice())
                + (e.shared().exists() ? ", shares " + e.shared().device() : "");
    }

    private static String del(Event.DelReceived e, long ledgerMillis) {
        return word(e.verdict())
                + e.owner().map(o -> ", owner " + attachment(o)).orElse("")
                + (e.withheld().isEmpty() ? "" : ", withheld " + e.withheld())
                + (e.spooled() ? ", spooled" : "")
                + seconds(", an ADD is refused for ", e.fencedUntilMillis() - ledgerMillis);
    }

    private static String cooling(long untilMillis, long ledgerMillis) {
        return seconds(", cooling for ", untilMillis - ledgerMillis);
    }

    private static String seconds(String what, long millis) {
        return millis <= 0 ? "" : what + Math.ceilDiv(millis, 1000) + " s";
    }
}
