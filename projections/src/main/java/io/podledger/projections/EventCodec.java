package io.podledger.projections;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.podledger.projections.wire.AddAbandoned;
import io.podledger.projections.wire.AddRefused;
import io.podledger.projections.wire.AddRepeated;
import io.podledger.projections.wire.AddressReserved;
import io.podledger.projections.wire.AttachmentFound;
import io.podledger.projections.wire.AttachmentMissed;
import io.podledger.projections.wire.AttachmentSuspected;
import io.podledger.projections.wire.AttachmentSwept;
import io.podledger.projections.wire.DaemonStarted;
import io.podledger.projections.wire.DaemonStopped;
import io.podledger.projections.wire.DelReceived;
import io.podledger.projections.wire.NamespaceReplaced;
import io.podledger.projections.wire.OwnerChanged;
import io.podledger.projections.wire.RangeAdded;
import io.podledger.projections.wire.RangeRemoved;
import io.podledger.projections.wire.Released;
import io.podledger.projections.wire.SandboxObserved;
import io.podledger.projections.wire.SandboxVanished;
import io.podledger.projections.wire.StateHashed;
import io.podledger.projections.wire.SuspicionCleared;
import io.podledger.projections.wire.Wired;
import io.podledger.projections.wire.WiringFailed;

/// Facts as bytes and back. The messages, and which type each has, are in `events.proto`.
public final class EventCodec {
    private EventCodec() {}

    /// An event is at most so many bytes when encoded.
    public static final int EVENT_BYTES_MAX = 16_384;

    private static final int IGNORABLE = 0x8000;

    /// The record type of a fact.
    public static int type(Event event) {
        return switch (event) {
            case Event.DaemonStarted _ -> 1;
            case Event.DaemonStopped _ -> 2;
            case Event.AddressReserved _ -> 16;
            case Event.NamespaceReplaced _ -> 17;
            case Event.AddRefused _ -> 18;
            case Event.Wired _ -> 19;
            case Event.WiringFailed _ -> 20;
            case Event.DelReceived _ -> 21;
            case Event.Released _ -> 22;
            case Event.AddAbandoned _ -> 23;
            case Event.AddRepeated _ -> 24;
            case Event.SandboxObserved _ -> 48;
            case Event.SandboxVanished _ -> 49;
            case Event.AttachmentMissed _ -> 50;
            case Event.AttachmentFound _ -> 51;
            case Event.AttachmentSwept _ -> 52;
            case Event.OwnerChanged _ -> 53;
            case Event.AttachmentSuspected _ -> 80;
            case Event.SuspicionCleared _ -> 81;
            case Event.RangeAdded _ -> 112;
            case Event.RangeRemoved _ -> 113;
            case Event.StateHashed _ -> 160;
        };
    }

    /// Whether a record of this type is no fact of this version and may be passed over.
    public static boolean ignorable(int type) {
        return (type & IGNORABLE) != 0;
    }

    /// @throws IllegalArgumentException if the event is larger than [#EVENT_BYTES_MAX]
    public static byte[] encode(Event event) {
        return encoded(ToWire.message(event));
    }

    static byte[] encoded(MessageLite message) {
        byte[] bytes = message.toByteArray();
        if (bytes.length > EVENT_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "%s has %d bytes: at most %d are written down"
                            .formatted(
                                    message.getClass().getSimpleName(),
                                    bytes.length,
                                    EVENT_BYTES_MAX));
        }
        return bytes;
    }

    /// @throws IllegalArgumentException if the type is unknown or the bytes are damaged
    public static Event decode(int type, byte[] payload) {
        try {
            return parsed(type, payload);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalArgumentException(
                    "a record of type %d is damaged: %s".formatted(type, e.getMessage()), e);
        }
    }

    private static Event parsed(int type, byte[] bytes) throws InvalidProtocolBufferException {
        return switch (type) {
            case 1 -> FromWire.event(DaemonStarted.parseFrom(bytes));
            case 2 -> new Event.DaemonStopped(DaemonStopped.parseFrom(bytes).getReason());
            case 16 -> FromWire.event(AddressReserved.parseFrom(bytes));
            case 17 -> FromWire.event(NamespaceReplaced.parseFrom(bytes));
            case 18 -> FromWire.event(AddRefused.parseFrom(bytes));
            case 19 -> FromWire.event(Wired.parseFrom(bytes));
            case 20 -> FromWire.event(WiringFailed.parseFrom(bytes));
            case 21 -> FromWire.event(DelReceived.parseFrom(bytes));
            case 22 -> FromWire.event(Released.parseFrom(bytes));
            case 23 -> FromWire.event(AddAbandoned.parseFrom(bytes));
            case 24 ->
                    new Event.AddRepeated(
                            FromWire.key(AddRepeated.parseFrom(bytes).getAttachment()));
            case 48 -> FromWire.event(SandboxObserved.parseFrom(bytes));
            case 49 -> FromWire.event(SandboxVanished.parseFrom(bytes));
            case 50 -> FromWire.event(AttachmentMissed.parseFrom(bytes));
            case 51 -> FromWire.event(AttachmentFound.parseFrom(bytes));
            case 52 -> FromWire.event(AttachmentSwept.parseFrom(bytes));
            case 53 -> FromWire.event(OwnerChanged.parseFrom(bytes));
            case 80 -> FromWire.event(AttachmentSuspected.parseFrom(bytes));
            case 81 -> FromWire.event(SuspicionCleared.parseFrom(bytes));
            case 112 -> FromWire.event(RangeAdded.parseFrom(bytes));
            case 113 -> FromWire.event(RangeRemoved.parseFrom(bytes));
            case 160 -> FromWire.event(StateHashed.parseFrom(bytes));
            default ->
                    throw new IllegalArgumentException(
                            "records of type "
                                    + type
                                    + " are unknown to this version: read them with the version"
                                    + " that wrote them, or a later one");
        };
    }
}
