package io.podledger.projections;

import com.google.protobuf.ByteString;
import io.podledger.projections.wire.AddAbandoned;
import io.podledger.projections.wire.AddRefused;
import io.podledger.projections.wire.AddressBlock;
import io.podledger.projections.wire.AddressReserved;
import io.podledger.projections.wire.AttachmentFound;
import io.podledger.projections.wire.AttachmentKey;
import io.podledger.projections.wire.AttachmentMissed;
import io.podledger.projections.wire.AttachmentSuspected;
import io.podledger.projections.wire.AttachmentSwept;
import io.podledger.projections.wire.DaemonStarted;
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
import java.util.List;
import java.util.Optional;

/// Messages as facts. Whatever a message lacks or has too much of is an [IllegalArgumentException].
final class FromWire {
    private FromWire() {}

    static Event.DaemonStarted event(DaemonStarted m) {
        return new Event.DaemonStarted(
                m.getVersion(),
                m.getBootId(),
                m.getBootMillis(),
                m.getMachineId(),
                m.getConfigDigest());
    }

    static Event.AddressReserved event(AddressReserved m) {
        return new Event.AddressReserved(
                key(m.getAttachment()),
                m.hasPod() ? Optional.of(name(m.getPod())) : Optional.empty(),
                m.getRuntimeManaged(),
                WireEnums.mode(m.getMode()),
                m.getHoldingsList().stream().map(FromWire::holding).toList(),
                key(m.getNamespace()),
                m.getNetnsPath(),
                m.getHostDevice(),
                m.getMtu(),
                new SharedThing(m.getSharedDevice(), m.getOwner()));
    }

    static Event.NamespaceReplaced event(NamespaceReplaced m) {
        return new Event.NamespaceReplaced(
                key(m.getAttachment()), key(m.getNamespace()), m.getNetnsPath());
    }

    static Event.AddRefused event(AddRefused m) {
        return new Event.AddRefused(
                key(m.getAttachment()),
                m.hasPod() ? Optional.of(name(m.getPod())) : Optional.empty(),
                WireEnums.reason(m.getReason()),
                m.getDetail());
    }

    static Event.Wired event(Wired m) {
        return new Event.Wired(key(m.getAttachment()));
    }

    static Event.WiringFailed event(WiringFailed m) {
        return new Event.WiringFailed(key(m.getAttachment()), m.getReason());
    }

    static Event.AddAbandoned event(AddAbandoned m) {
        return new Event.AddAbandoned(key(m.getAttachment()), m.getEvidence());
    }

    static Event.DelReceived event(DelReceived m) {
        return new Event.DelReceived(
                key(m.getAttachment()),
                m.hasPod() ? Optional.of(name(m.getPod())) : Optional.empty(),
                WireEnums.verdict(m.getVerdict()),
                m.hasOwner() ? Optional.of(key(m.getOwner())) : Optional.empty(),
                m.getSpooled(),
                m.getFencedUntilMillis(),
                m.getWithheld());
    }

    static Event.OwnerChanged event(OwnerChanged m) {
        return new Event.OwnerChanged(m.getSharedDevice(), key(m.getOwner()), key(m.getBefore()));
    }

    static Event.Released event(Released m) {
        return new Event.Released(
                key(m.getAttachment()),
                WireEnums.cause(m.getCause()),
                m.getEvidence(),
                m.getCoolingUntilMillis());
    }

    static Event.SandboxObserved event(SandboxObserved m) {
        return new Event.SandboxObserved(
                sandbox(m.getSandbox()), WireEnums.source(m.getSource()), m.getList());
    }

    static Event.SandboxVanished event(SandboxVanished m) {
        return new Event.SandboxVanished(m.getId(), WireEnums.source(m.getSource()), m.getList());
    }

    static Event.AttachmentMissed event(AttachmentMissed m) {
        return new Event.AttachmentMissed(key(m.getAttachment()), m.getList());
    }

    static Event.AttachmentFound event(AttachmentFound m) {
        return new Event.AttachmentFound(key(m.getAttachment()), m.getEvidence());
    }

    static Event.AttachmentSwept event(AttachmentSwept m) {
        return new Event.AttachmentSwept(key(m.getAttachment()), m.getEvidence());
    }

    static Event.AttachmentSuspected event(AttachmentSuspected m) {
        return new Event.AttachmentSuspected(
                m.getHostDevice(), addresses(m.getAddressesList()), m.getWhy());
    }

    static Event.SuspicionCleared event(SuspicionCleared m) {
        return new Event.SuspicionCleared(
                m.getHostDevice(), m.getEvidence(), m.getCoolingUntilMillis());
    }

    static Event.RangeAdded event(RangeAdded m) {
        return new Event.RangeAdded(range(m.getRange()));
    }

    static Event.RangeRemoved event(RangeRemoved m) {
        return new Event.RangeRemoved(address(m.getFirst()), m.getPrefixLength());
    }

    static Event.StateHashed event(StateHashed m) {
        return new Event.StateHashed(m.getCanonicalVersion(), m.getHash());
    }

    static Sandbox sandbox(SandboxFacts m) {
        return new Sandbox(
                m.getId(),
                name(m.getPod()),
                Integer.toUnsignedLong(m.getAttempt()),
                WireEnums.state(m.getCondition()),
                m.getCreatedNanos());
    }

    static Attachment key(AttachmentKey m) {
        if (m.getContainerId().isEmpty()) {
            throw new IllegalArgumentException("an attachment without a container ID");
        }
        return new Attachment(m.getNetwork(), m.getContainerId(), m.getIfName());
    }

    private static NamespaceIdentity key(NamespaceKey m) {
        return new NamespaceIdentity(m.getDevice(), m.getInode(), m.getBootId());
    }

    private static Pod name(PodName m) {
        return new Pod(m.getNamespace(), m.getName(), m.getUid());
    }

    private static Holding holding(HeldAddress m) {
        return new Holding(address(m.getAddress()), m.getUplink(), m.getTable());
    }

    static Range range(AddressBlock m) {
        return new Range(address(m.getFirst()), m.getPrefixLength(), m.getUplink(), m.getTable());
    }

    static List<IpAddress> addresses(List<ByteString> bytes) {
        return bytes.stream().map(FromWire::address).toList();
    }

    static IpAddress address(ByteString bytes) {
        return IpAddress.of(bytes.toByteArray());
    }
}
