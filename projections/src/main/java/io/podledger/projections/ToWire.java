package io.podledger.projections;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import com.google.protobuf.UnsafeByteOperations;
import io.podledger.projections.wire.AddAbandoned;
import io.podledger.projections.wire.AddRefused;
import io.podledger.projections.wire.AddRepeated;
import io.podledger.projections.wire.AddressBlock;
import io.podledger.projections.wire.AddressReserved;
import io.podledger.projections.wire.AttachmentFound;
import io.podledger.projections.wire.AttachmentKey;
import io.podledger.projections.wire.AttachmentMissed;
import io.podledger.projections.wire.AttachmentSuspected;
import io.podledger.projections.wire.AttachmentSwept;
import io.podledger.projections.wire.DaemonStarted;
import io.podledger.projections.wire.DaemonStopped;
import io.podledger.projections.wire.DelReceived;
import io.podledger.projections.wire.HeldAddress;
import io.podledger.projections.wire.NamespaceKey;
import io.podledger.projections.wire.NamespaceReplaced;
import io.podledger.projections.wire.OwnerChanged;
import io.podledger.projections.wire.PodName;
import io.podledger.projections.wire.RangeAdded;
import io.podledger.projections.wire.RangeRemoved;
import io.podledger.projections.wire.Released;
import io.podledger.projections.wire.SandboxFacts;
import io.podledger.projections.wire.SandboxObserved;
import io.podledger.projections.wire.SandboxVanished;
import io.podledger.projections.wire.StateHashed;
import io.podledger.projections.wire.SuspicionCleared;
import io.podledger.projections.wire.Wired;
import io.podledger.projections.wire.WiringFailed;

/// Facts as messages.
final class ToWire {
    private ToWire() {}

    static MessageLite message(Event event) {
        return switch (event) {
            case Event.DaemonStarted e -> message(e);
            case Event.DaemonStopped e -> DaemonStopped.newBuilder().setReason(e.reason()).build();
            case Event.AddressReserved e -> message(e);
            case Event.NamespaceReplaced e ->
                    NamespaceReplaced.newBuilder()
                            .setAttachment(key(e.attachment()))
                            .setNamespace(key(e.namespace()))
                            .setNetnsPath(e.netnsPath())
                            .build();
            case Event.AddRefused e -> refused(e);
            case Event.Wired e -> Wired.newBuilder().setAttachment(key(e.attachment())).build();
            case Event.WiringFailed e ->
                    WiringFailed.newBuilder()
                            .setAttachment(key(e.attachment()))
                            .setReason(e.reason())
                            .build();
            case Event.AddAbandoned e ->
                    AddAbandoned.newBuilder()
                            .setAttachment(key(e.attachment()))
                            .setEvidence(e.evidence())
                            .build();
            case Event.DelReceived e -> deleted(e);
            case Event.Released e ->
                    Released.newBuilder()
                            .setAttachment(key(e.attachment()))
                            .setCause(WireEnums.cause(e.cause()))
                            .setEvidence(e.evidence())
                            .setCoolingUntilMillis(e.coolingUntilMillis())
                            .build();
            case Event.SandboxObserved e ->
                    SandboxObserved.newBuilder()
                            .setSandbox(sandbox(e.sandbox()))
                            .setSource(WireEnums.source(e.source()))
                            .setList(e.list())
                            .build();
            case Event.SandboxVanished e ->
                    SandboxVanished.newBuilder()
                            .setId(e.id())
                            .setSource(WireEnums.source(e.source()))
                            .setList(e.list())
                            .build();
            case Event.AddRepeated e ->
                    AddRepeated.newBuilder().setAttachment(key(e.attachment())).build();
            case Event.AttachmentMissed e ->
                    AttachmentMissed.newBuilder()
                            .setAttachment(key(e.attachment()))
                            .setList(e.list())
                            .build();
            case Event.AttachmentFound e ->
                    AttachmentFound.newBuilder()
                            .setAttachment(key(e.attachment()))
                            .setEvidence(e.evidence())
                            .build();
            case Event.AttachmentSwept e ->
                    AttachmentSwept.newBuilder()
                            .setAttachment(key(e.attachment()))
                            .setEvidence(e.evidence())
                            .build();
            case Event.OwnerChanged e ->
                    OwnerChanged.newBuilder()
                            .setSharedDevice(e.sharedDevice())
                            .setOwner(key(e.owner()))
                            .setBefore(key(e.before()))
                            .build();
            case Event.AttachmentSuspected e -> suspected(e);
            case Event.SuspicionCleared e ->
                    SuspicionCleared.newBuilder()
                            .setHostDevice(e.hostDevice())
                            .setEvidence(e.evidence())
                            .setCoolingUntilMillis(e.coolingUntilMillis())
                            .build();
            case Event.RangeAdded e -> RangeAdded.newBuilder().setRange(block(e.range())).build();
            case Event.RangeRemoved e ->
                    RangeRemoved.newBuilder()
                            .setFirst(bytes(e.first()))
                            .setPrefixLength(e.prefixLength())
                            .build();
            case Event.StateHashed e ->
                    StateHashed.newBuilder()
                            .setCanonicalVersion(e.canonicalVersion())
                            .setHash(e.hash())
                            .build();
        };
    }

    static DaemonStarted message(Event.DaemonStarted e) {
        return DaemonStarted.newBuilder()
                .setVersion(e.version())
                .setBootId(e.bootId())
                .setBootMillis(e.bootMillis())
                .setMachineId(e.machineId())
                .setConfigDigest(e.configDigest())
                .build();
    }

    static AddressReserved message(Event.AddressReserved e) {
        AddressReserved.Builder message =
                AddressReserved.newBuilder()
                        .setAttachment(key(e.attachment()))
                        .setRuntimeManaged(e.runtimeManaged())
                        .setMode(WireEnums.mode(e.mode()))
                        .setNamespace(key(e.namespace()))
                        .setNetnsPath(e.netnsPath())
                        .setHostDevice(e.hostDevice())
                        .setMtu(e.mtu())
                        .setSharedDevice(e.shared().device())
                        .setOwner(e.shared().owned());
        e.pod().map(ToWire::name).ifPresent(message::setPod);
        for (Holding holding : e.holdings()) {
            message.addHoldings(
                    HeldAddress.newBuilder()
                            .setAddress(bytes(holding.address()))
                            .setUplink(holding.uplink())
                            .setTable(holding.table()));
        }
        return message.build();
    }

    private static AddRefused refused(Event.AddRefused e) {
        AddRefused.Builder message =
                AddRefused.newBuilder()
                        .setAttachment(key(e.attachment()))
                        .setReason(WireEnums.reason(e.reason()))
                        .setDetail(e.detail());
        e.pod().map(ToWire::name).ifPresent(message::setPod);
        return message.build();
    }

    private static DelReceived deleted(Event.DelReceived e) {
        DelReceived.Builder message =
                DelReceived.newBuilder()
                        .setAttachment(key(e.attachment()))
                        .setVerdict(WireEnums.verdict(e.verdict()))
                        .setSpooled(e.spooled())
                        .setFencedUntilMillis(e.fencedUntilMillis())
                        .setWithheld(e.withheld());
        e.pod().map(ToWire::name).ifPresent(message::setPod);
        e.owner().map(ToWire::key).ifPresent(message::setOwner);
        return message.build();
    }

    private static AttachmentSuspected suspected(Event.AttachmentSuspected e) {
        AttachmentSuspected.Builder message =
                AttachmentSuspected.newBuilder().setHostDevice(e.hostDevice()).setWhy(e.why());
        e.addresses().forEach(address -> message.addAddresses(bytes(address)));
        return message.build();
    }

    static SandboxFacts sandbox(Sandbox sandbox) {
        return SandboxFacts.newBuilder()
                .setId(sandbox.id())
                .setPod(name(sandbox.pod()))
                .setAttempt((int) sandbox.attempt())
                .setCondition(WireEnums.condition(sandbox.state()))
                .setCreatedNanos(sandbox.createdNanos())
                .build();
    }

    static AttachmentKey key(Attachment attachment) {
        return AttachmentKey.newBuilder()
                .setNetwork(attachment.network())
                .setContainerId(attachment.containerId())
                .setIfName(attachment.ifName())
                .build();
    }

    private static NamespaceKey key(NamespaceIdentity namespace) {
        return NamespaceKey.newBuilder()
                .setDevice(namespace.device())
                .setInode(namespace.inode())
                .setBootId(namespace.bootId())
                .build();
    }

    private static PodName name(Pod pod) {
        return PodName.newBuilder()
                .setNamespace(pod.namespace())
                .setName(pod.name())
                .setUid(pod.uid())
                .build();
    }

    static AddressBlock block(Range range) {
        return AddressBlock.newBuilder()
                .setFirst(bytes(range.first()))
                .setPrefixLength(range.prefixLength())
                .setUplink(range.uplink())
                .setTable(range.table())
                .build();
    }

    static ByteString bytes(IpAddress address) {
        return UnsafeByteOperations.unsafeWrap(address.bytes());
    }
}
