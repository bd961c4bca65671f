package io.podledger.projections;

import com.google.protobuf.MessageLite;
import io.podledger.projections.wire.FenceEntry;
import io.podledger.projections.wire.NoteEntry;
import io.podledger.projections.wire.RangeEntry;
import io.podledger.projections.wire.RestingEntry;
import io.podledger.projections.wire.SnapshotEnd;
import io.podledger.projections.wire.SnapshotHead;
import io.podledger.projections.wire.SuspectEntry;
import io.podledger.projections.wire.TombstoneEntry;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/// A ledger as chunks of entries. An entry, little-endian:
///
/// ```
///   0      2        6
///   +------+--------+------------------+
///   | type | length | protobuf message |
///   | u16  | u32    | length bytes     |
///   +------+--------+------------------+
/// ```
final class SnapshotWriter {
    static final int CHUNK_BYTES_MAX = 1 << 20;
    static final int ENTRY_HEAD_BYTES = 6;
    static final int END = 184;

    private final List<byte[]> chunks = new ArrayList<>();
    private final ByteBuffer chunk =
            ByteBuffer.allocate(CHUNK_BYTES_MAX).order(ByteOrder.LITTLE_ENDIAN);
    private long entries;

    private SnapshotWriter() {}

    static List<byte[]> write(Ledger ledger) {
        SnapshotWriter writer = new SnapshotWriter();
        writer.put(StateHash.HEAD, head(ledger));
        ledger.pool.blocks().forEach(writer::range);
        ledger.leases.values().forEach(writer::lease);
        ledger.resting().forEach(writer::resting);
        ledger.suspects.values().forEach(writer::suspect);
        ledger.graves.values().forEach(writer::tombstone);
        ledger.fences.values().forEach(writer::fence);
        ledger.notes.values().forEach(writer::note);
        ledger.sandboxes.values().forEach(writer::sandbox);
        long between = writer.entries - 1;
        writer.put(
                END, SnapshotEnd.newBuilder().setEntries(between).setHash(ledger.hash()).build());
        writer.endChunk();
        return writer.chunks;
    }

    private static SnapshotHead head(Ledger ledger) {
        return SnapshotHead.newBuilder()
                .setCanonicalVersion(Ledger.CANONICAL_VERSION)
                .setMillis(ledger.millis)
                .setNumbers(ledger.numbers)
                .setStarted(ToWire.message(ledger.boot.start()))
                .setBootSinceMillis(ledger.boot.sinceMillis())
                .setBootOffsetMillis(ledger.boot.offsetMillis())
                .setLists(ledger.lists)
                .build();
    }

    private void range(Block block) {
        put(
                StateHash.RANGE,
                RangeEntry.newBuilder()
                        .setRange(ToWire.block(block.range()))
                        .setNumber(block.number())
                        .build());
    }

    private void lease(LeaseEntry lease) {
        Holder holder = lease.holder();
        put(
                StateHash.LEASE,
                io.podledger.projections.wire.LeaseEntry.newBuilder()
                        .setReserved(ToWire.message(lease.fact()))
                        .setMissedMillis(holder.missed().map(Missed::millis).orElse(0L))
                        .setMissedList(holder.missed().map(Missed::list).orElse(0L))
                        .setNumber(lease.number())
                        .setAddedMillis(holder.addedMillis())
                        .setProgress(WireEnums.progress(holder.state()))
                        .setOrder(holder.order())
                        .setCause(WireEnums.cause(holder.cause()))
                        .build());
    }

    private void resting(Resting resting) {
        put(
                StateHash.RESTING,
                RestingEntry.newBuilder()
                        .setAddress(ToWire.bytes(resting.address()))
                        .setFreeMillis(resting.freeMillis())
                        .setNumber(resting.number())
                        .build());
    }

    private void suspect(Suspect suspect) {
        List<IpAddress> addresses = suspect.addresses();
        int step = Event.AttachmentSuspected.ADDRESSES_MAX;
        for (int from = 0; from < addresses.size(); from += step) {
            int to = Math.min(from + step, addresses.size());
            put(
                    StateHash.SUSPECT,
                    SuspectEntry.newBuilder()
                            .setHostDevice(suspect.hostDevice())
                            .addAllAddresses(
                                    addresses.subList(from, to).stream()
                                            .map(ToWire::bytes)
                                            .toList())
                            .setSinceMillis(suspect.sinceMillis())
                            .setWhy(suspect.why())
                            .build());
        }
    }

    private void tombstone(Tombstone tombstone) {
        put(
                StateHash.TOMBSTONE,
                TombstoneEntry.newBuilder()
                        .setAttachment(ToWire.key(tombstone.attachment()))
                        .setHostDevice(tombstone.hostDevice())
                        .setReleasedMillis(tombstone.releasedMillis())
                        .setNumber(tombstone.number())
                        .build());
    }

    private void fence(Fence fence) {
        put(
                StateHash.FENCE,
                FenceEntry.newBuilder()
                        .setAttachment(ToWire.key(fence.attachment()))
                        .setUntilMillis(fence.untilMillis())
                        .build());
    }

    private void note(Note note) {
        put(
                StateHash.NOTE,
                NoteEntry.newBuilder().setAbout(note.about()).setMillis(note.millis()).build());
    }

    private void sandbox(SandboxEntry entry) {
        put(
                StateHash.SANDBOX,
                io.podledger.projections.wire.SandboxEntry.newBuilder()
                        .setSandbox(ToWire.sandbox(entry.sandbox()))
                        .setNumber(entry.number())
                        .build());
    }

    private void put(int type, MessageLite entry) {
        byte[] bytes = EventCodec.encoded(entry);
        if (chunk.remaining() < ENTRY_HEAD_BYTES + bytes.length) {
            endChunk();
        }
        chunk.putShort((short) type).putInt(bytes.length).put(bytes);
        entries++;
    }

    private void endChunk() {
        byte[] bytes = new byte[chunk.position()];
        chunk.flip().get(bytes);
        chunks.add(bytes);
        chunk.clear();
    }
}
