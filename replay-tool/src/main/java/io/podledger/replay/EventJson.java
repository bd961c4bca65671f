package io.podledger.replay;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.podledger.projections.Attachment;
import io.podledger.projections.Event;
import io.podledger.projections.Holder;
import io.podledger.projections.IpAddress;
import io.podledger.projections.NamespaceIdentity;
import io.podledger.projections.Pod;
import io.podledger.projections.Range;
import java.util.List;
import java.util.Optional;

/// Facts as JSON objects. The names are a promise to scripts: add, never rename.
final class EventJson {
    private EventJson() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ObjectNode entry(Entry entry, Subject subject) {
        ObjectNode json =
                object().put("sequence", entry.sequence())
                        .put("time", TimeText.utc(entry.wallMillis()))
                        .put("ledgerMillis", entry.ledgerMillis())
                        .put("type", entry.type())
                        .put("confirmed", entry.confirmed());
        subject.attachment().ifPresent(a -> attachment(json, a));
        subject.pod().ifPresent(p -> pod(json, p));
        addresses(json, subject.addresses());
        text(json, "hostDevice", subject.hostDevice());
        entry.event().ifPresent(e -> details(json, e));
        return json;
    }

    static ObjectNode attachment(ObjectNode json, Attachment attachment) {
        return json.put("network", attachment.network())
                .put("containerId", attachment.containerId())
                .put("ifName", attachment.ifName());
    }

    static void pod(ObjectNode json, Pod pod) {
        json.put("podNamespace", pod.namespace()).put("podName", pod.name());
        text(json, "podUid", pod.uid());
    }

    /// `addresses` has all of them, `address` the first: most attachments have one.
    static void addresses(ObjectNode json, List<IpAddress> addresses) {
        if (!addresses.isEmpty()) {
            json.put("address", addresses.getFirst().toString());
            var array = json.putArray("addresses");
            addresses.forEach(a -> array.add(a.toString()));
        }
    }

    static void holder(ObjectNode json, Holder holder) {
        attachment(json, holder.lease().attachment());
        holder.lease().pod().ifPresent(p -> pod(json, p));
        addresses(json, Subject.addresses(holder.lease().holdings()));
        json.put("state", EventText.word(holder.state()))
                .put("mode", EventText.word(holder.lease().mode()));
        text(json, "hostDevice", holder.lease().hostDevice());
    }

    /// `sinceSequence` and `sinceTime`, for the name `since`.
    static void place(ObjectNode json, String name, Entry entry) {
        json.put(name + "Sequence", entry.sequence())
                .put(name + "Time", TimeText.utc(entry.wallMillis()));
    }

    static void range(ObjectNode json, Range range) {
        json.put("range", range.cidr());
        text(json, "uplink", range.uplink());
        if (range.table() != 0) {
            json.put("table", range.table());
        }
    }

    static void owner(ObjectNode json, Optional<Attachment> owner) {
        owner.ifPresent(o -> attachment(json.putObject("owner"), o));
    }

    static void text(ObjectNode json, String name, String value) {
        if (!value.isEmpty()) {
            json.put(name, value);
        }
    }

    private static void details(ObjectNode json, Event event) {
        switch (event) {
            case Event.DaemonStarted e -> started(json, e);
            case Event.DaemonStopped e -> json.put("reason", e.reason());
            case Event.AddressReserved e -> reserved(json, e);
            case Event.NamespaceReplaced e -> namespace(json, e.namespace(), e.netnsPath());
            case Event.AddRefused e ->
                    json.put("reason", EventText.word(e.reason())).put("detail", e.detail());
            case Event.Wired _ -> {}
            case Event.AddRepeated _ -> {}
            case Event.WiringFailed e -> json.put("reason", e.reason());
            case Event.AddAbandoned e -> json.put("evidence", e.evidence());
            case Event.DelReceived e -> del(json, e);
            case Event.Released e ->
                    json.put("cause", EventText.word(e.cause()))
                            .put("evidence", e.evidence())
                            .put("coolingUntilMillis", e.coolingUntilMillis());
            case Event.SandboxObserved e -> sandbox(json, e);
            case Event.SandboxVanished e ->
                    json.put("sandboxId", e.id())
                            .put("source", EventText.word(e.source()))
                            .put("list", e.list());
            case Event.AttachmentMissed e -> json.put("list", e.list());
            case Event.AttachmentFound e -> json.put("evidence", e.evidence());
            case Event.AttachmentSwept e -> json.put("evidence", e.evidence());
            case Event.OwnerChanged e -> {
                json.put("sharedDevice", e.sharedDevice());
                owner(json, Optional.of(e.owner()));
            }
            case Event.AttachmentSuspected e -> json.put("reason", e.why());
            case Event.SuspicionCleared e ->
                    json.put("evidence", e.evidence())
                            .put("coolingUntilMillis", e.coolingUntilMillis());
            case Event.RangeAdded e -> range(json, e.range());
            case Event.RangeRemoved e -> json.put("range", e.first() + "/" + e.prefixLength());
            case Event.StateHashed e ->
                    json.put("canonicalVersion", e.canonicalVersion())
                            .put("stateHash", EventText.hash(e.hash()));
        }
    }

    private static void started(ObjectNode json, Event.DaemonStarted e) {
        json.put("version", e.version())
                .put("bootId", e.bootId())
                .put("bootMillis", e.bootMillis())
                .put("machineId", e.machineId())
                .put("configDigest", e.configDigest());
    }

    private static void reserved(ObjectNode json, Event.AddressReserved e) {
        json.put("mode", EventText.word(e.mode()))
                .put("mtu", e.mtu())
                .put("runtimeManaged", e.runtimeManaged());
        namespace(json, e.namespace(), e.netnsPath());
    }

    private static void namespace(ObjectNode json, NamespaceIdentity id, String path) {
        json.put("netns", path)
                .put("netnsDevice", id.device())
                .put("netnsInode", id.inode())
                .put("netnsBootId", id.bootId());
    }

    private static void sandbox(ObjectNode json, Event.SandboxObserved e) {
        json.put("sandboxId", e.sandbox().id())
                .put("attempt", e.sandbox().attempt())
                .put("state", EventText.word(e.sandbox().state()))
                .put("source", EventText.word(e.source()))
                .put("list", e.list());
        if (e.sandbox().createdNanos() > 0) {
            json.put("created", TimeText.utc(e.sandbox().createdNanos() / 1_000_000));
        }
    }

    private static void del(ObjectNode json, Event.DelReceived e) {
        json.put("verdict", EventText.word(e.verdict())).put("spooled", e.spooled());
        if (e.fencedUntilMillis() > 0) {
            json.put("fencedUntilMillis", e.fencedUntilMillis());
        }
        if (!e.withheld().isEmpty()) {
            json.put("withheld", e.withheld());
        }
        owner(json, e.owner());
    }
}
