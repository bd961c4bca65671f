package io.podledger.replay;

import io.podledger.journal.Journal;
import io.podledger.journal.JournalException;
import io.podledger.journal.JournalOptions;
import io.podledger.journal.LogRecord;
import io.podledger.journal.State;
import io.podledger.projections.Attachment;
import io.podledger.projections.DelVerdict;
import io.podledger.projections.Event;
import io.podledger.projections.EventCodec;
import io.podledger.projections.Holding;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Ledger;
import io.podledger.projections.Mode;
import io.podledger.projections.NamespaceIdentity;
import io.podledger.projections.Pod;
import io.podledger.projections.Range;
import io.podledger.projections.ReleaseCause;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// A node's journal with facts in it, written as the daemon writes them.
final class Node implements AutoCloseable, State {
    static final int SEGMENT_BYTES = 1 << 20;
    static final long COOLDOWN_MILLIS = 120_000;

    private final Journal journal;
    private Ledger ledger = new Ledger();
    private final boolean syncs;
    private long now = 1_000;

    /// @param syncs whether each fact is made durable before the next is written
    Node(Path stateDir, boolean syncs) {
        this.syncs = syncs;
        journal =
                Journal.open(stateDir.resolve("journal"), new JournalOptions(SEGMENT_BYTES), this);
        now = Math.max(now, journal.ledgerMillis());
    }

    static Attachment sandbox(String containerId) {
        return new Attachment("podnet", containerId, "eth0");
    }

    static Pod pod(String name) {
        return new Pod("default", name, "uid-of-" + name);
    }

    Node later(long millis) {
        now += millis;
        return this;
    }

    long now() {
        return now;
    }

    Ledger ledger() {
        return ledger;
    }

    /// @return the fact's sequence
    long write(Event event) {
        journal.rollIfDue();
        ledger.apply(now, event);
        return writeUnchecked(event);
    }

    long writeUnchecked(Event event) {
        return writeRaw(EventCodec.type(event), EventCodec.encode(event));
    }

    long writeRaw(int type, byte[] payload) {
        long sequence = journal.append(type, now, payload);
        if (syncs) {
            journal.sync();
        }
        return sequence;
    }

    long start() {
        return write(new Event.DaemonStarted("0.1.0", "boot-1", now, "machine-1", "digest-1"));
    }

    long range(String first, int prefixLength) {
        return write(new Event.RangeAdded(new Range(IpAddress.parse(first), prefixLength, "", 0)));
    }

    long reserve(String containerId, String pod, String address) {
        return write(
                new Event.AddressReserved(
                        sandbox(containerId),
                        Optional.of(pod(pod)),
                        true,
                        Mode.ROUTED,
                        List.of(new Holding(IpAddress.parse(address), "", 0)),
                        new NamespaceIdentity(4, 4026532000L, "boot-1"),
                        "/run/netns/" + containerId,
                        "eni" + containerId.substring(0, 11),
                        9001));
    }

    long wired(String containerId) {
        return write(new Event.Wired(sandbox(containerId)));
    }

    long del(String containerId, DelVerdict verdict, Optional<String> owner) {
        return write(
                new Event.DelReceived(
                        sandbox(containerId),
                        Optional.empty(),
                        verdict,
                        owner.map(Node::sandbox),
                        false,
                        verdict == DelVerdict.UNKNOWN ? now + 300_000 : 0));
    }

    long released(String containerId) {
        return write(
                new Event.Released(
                        sandbox(containerId),
                        ReleaseCause.DEL,
                        "nothing left in the kernel",
                        now + COOLDOWN_MILLIS));
    }

    long hash() {
        return write(new Event.StateHashed(Ledger.CANONICAL_VERSION, ledger.hash()));
    }

    void sync() {
        journal.sync();
    }

    @Override
    public void restore(List<byte[]> chunks) {
        ledger = Ledger.restore(chunks);
    }

    @Override
    public void apply(LogRecord record) {
        try {
            ledger.apply(record.ledgerMillis(), EventCodec.decode(record.type(), record.payload()));
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new JournalException("sequence " + record.sequence(), e);
        }
    }

    @Override
    public List<byte[]> snapshot() {
        return ledger.snapshot();
    }

    @Override
    public void close() {
        journal.close();
    }
}
