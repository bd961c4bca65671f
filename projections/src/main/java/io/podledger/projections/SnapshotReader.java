package io.podledger.projections;

import com.google.protobuf.InvalidProtocolBufferException;
import io.podledger.projections.wire.FenceEntry;
import io.podledger.projections.wire.NoteEntry;
import io.podledger.projections.wire.RangeEntry;
import io.podledger.projections.wire.RestingEntry;
import io.podledger.projections.wire.SnapshotEnd;
import io.podledger.projections.wire.SnapshotHead;
import io.podledger.projections.wire.SuspectEntry;
import io.podledger.projections.wire.TombstoneEntry;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Chunks of entries as a ledger.
final class SnapshotReader {
    private final Ledger ledger = new Ledger();
    private long entries;
    private boolean begun;
    private boolean ended;

    private SnapshotReader() {}

    /// @throws IllegalArgumentException if the chunks are damaged or of another canonical version
    static Ledger read(List<byte[]> chunks) {
        SnapshotReader reader = new SnapshotReader();
        try {
            for (byte[] chunk : chunks) {
                reader.chunk(ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN));
            }
        } catch (InvalidProtocolBufferException | BufferUnderflowException e) {
            throw new IllegalArgumentException(
                    "the snapshot is damaged at entry " + reader.entries, e);
        }
        reader.require(reader.ended, "it has no end");
        reader.ledger.pool.ripen(reader.ledger.millis);
        return reader.ledger;
    }

    private void chunk(ByteBuffer chunk) throws InvalidProtocolBufferException {
        while (chunk.hasRemaining()) {
            int type = Short.toUnsignedInt(chunk.getShort());
            int length = chunk.getInt();
            require(length >= 0 && length <= chunk.remaining(), "an entry is cut");
            byte[] bytes = new byte[length];
            chunk.get(bytes);
            require(!ended, "it goes on after its end");
            entry(type, bytes);
        }
    }

    private void entry(int type, byte[] bytes) throws InvalidProtocolBufferException {
        require(begun == (type != StateHash.HEAD), "its head is not its first entry");
        switch (type) {
            case StateHash.HEAD -> head(SnapshotHead.parseFrom(bytes));
            case StateHash.RANGE -> range(RangeEntry.parseFrom(bytes));
            case StateHash.LEASE ->
                    lease(io.podledger.projections.wire.LeaseEntry.parseFrom(bytes));
            case StateHash.RESTING -> resting(RestingEntry.parseFrom(bytes));
            case StateHash.SUSPECT -> suspect(SuspectEntry.parseFrom(bytes));
            case StateHash.TOMBSTONE -> tombstone(TombstoneEntry.parseFrom(bytes));
            case StateHash.FENCE -> fence(FenceEntry.parseFrom(bytes));
            case StateHash.NOTE -> note(NoteEntry.parseFrom(bytes));
            case StateHash.SANDBOX ->
                    sandbox(io.podledger.projections.wire.SandboxEntry.parseFrom(bytes));
            case SnapshotWriter.END -> end(SnapshotEnd.parseFrom(bytes));
            default ->
                    throw new IllegalArgumentException(
                            "snapshot entries of type " + type + " are unknown to this version");
        }
        entries += type == StateHash.HEAD ? 0 : 1;
    }

    private void head(SnapshotHead m) {
        if (m.getCanonicalVersion() != Ledger.CANONICAL_VERSION) {
            throw new IllegalArgumentException(
                    "the snapshot is of canonical version %d, and this version reads %d"
                            .formatted(m.getCanonicalVersion(), Ledger.CANONICAL_VERSION));
        }
        begun = true;
        ledger.millis = m.getMillis();
        ledger.numbers = m.getNumbers();
        ledger.lists = m.getLists();
        ledger.boot =
                new Boot(
                        FromWire.event(m.getStarted()),
                        m.getBootSinceMillis(),
                        m.getBootOffsetMillis());
    }

    private void range(RangeEntry m) {
        Range range = FromWire.range(m.getRange());
        List<Range> ranges = new ArrayList<>(ledger.ranges());
        ranges.add(range);
        Range.fault(ranges).ifPresent(fault -> require(false, fault));
        ledger.pool.of(range.first()).addBlock(new Block(range, m.getNumber()), ledger.millis);
    }

    private void lease(io.podledger.projections.wire.LeaseEntry m) {
        Event.AddressReserved fact = FromWire.event(m.getReserved());
        Holder holder =
                new Holder(
                        LeaseEntry.lease(fact),
                        WireEnums.state(m.getProgress()),
                        m.getOrder(),
                        m.getAddedMillis(),
                        fact.runtimeManaged(),
                        fact.netnsPath(),
                        WireEnums.cause(m.getCause()),
                        missed(m));
        LeaseEntry lease = new LeaseEntry(fact, m.getNumber(), holder);
        require(ledger.leases.get(fact.attachment()).isEmpty(), "an attachment stands twice");
        fact.holdings().forEach(holding -> unused(holding.address()));
        ledger.leases.put(lease);
        ledger.pool.take(lease);
        ledger.hash.add(lease);
    }

    private static Optional<Missed> missed(io.podledger.projections.wire.LeaseEntry m) {
        return m.getMissedList() == 0
                ? Optional.empty()
                : Optional.of(new Missed(m.getMissedMillis(), m.getMissedList()));
    }

    private void resting(RestingEntry m) {
        IpAddress address = FromWire.address(m.getAddress());
        unused(address);
        ledger.pool
                .of(address)
                .restore(address, new Resting(address, m.getFreeMillis(), m.getNumber()));
    }

    private void suspect(SuspectEntry m) {
        Optional<Suspect> before = ledger.suspect(m.getHostDevice());
        List<IpAddress> all = new ArrayList<>(before.map(Suspect::addresses).orElse(List.of()));
        List<IpAddress> more = FromWire.addresses(m.getAddressesList());
        all.addAll(more);
        Suspect suspect =
                new Suspect(m.getHostDevice(), List.copyOf(all), m.getSinceMillis(), m.getWhy());
        for (IpAddress address : more) {
            unused(address);
            ledger.pool.of(address).take(address, suspect);
        }
        for (IpAddress address : all) {
            ledger.pool.of(address).withhold(address, suspect);
        }
        ledger.suspects.put(m.getHostDevice(), suspect);
    }

    private void tombstone(TombstoneEntry m) {
        Tombstone tombstone =
                new Tombstone(
                        FromWire.key(m.getAttachment()),
                        m.getHostDevice(),
                        m.getReleasedMillis(),
                        m.getNumber());
        ledger.graves.put(tombstone.attachment(), tombstone);
    }

    private void fence(FenceEntry m) {
        Attachment attachment = FromWire.key(m.getAttachment());
        ledger.fences.put(attachment, new Fence(attachment, m.getUntilMillis()));
    }

    private void note(NoteEntry m) {
        ledger.notes.put(m.getAbout(), new Note(m.getAbout(), m.getMillis()));
    }

    private void sandbox(io.podledger.projections.wire.SandboxEntry m) {
        Sandbox sandbox = FromWire.sandbox(m.getSandbox());
        require(ledger.sandbox(sandbox.id()).isEmpty(), "a sandbox stands twice");
        ledger.sandboxes.put(sandbox.id(), new SandboxEntry(sandbox, m.getNumber()));
    }

    private void end(SnapshotEnd m) {
        ended = true;
        require(m.getEntries() == entries, "entries are missing");
        require(m.getHash() == ledger.hash(), "its hash does not fit its entries");
    }

    private void unused(IpAddress address) {
        require(ledger.pool.of(address).use(address).isEmpty(), address + " stands twice");
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException("the snapshot is damaged: " + otherwise);
        }
    }
}
