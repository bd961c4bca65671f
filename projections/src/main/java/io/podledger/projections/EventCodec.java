package io.podledger.projections;

/// Facts as bytes and back.
public final class EventCodec {
    private EventCodec() {}

    /// An event is at most so many bytes when encoded.
    public static final int EVENT_BYTES_MAX = 16_384;

    /// The record type of a fact.
    public static int type(Event event) {
        return 0;
    }

    public static byte[] encode(Event event) {
        return new byte[0];
    }

    /// @throws IllegalArgumentException if the type is unknown or the bytes are damaged
    public static Event decode(int type, byte[] payload) {
        throw new IllegalArgumentException("type " + type + " with " + payload.length + " bytes");
    }
}
