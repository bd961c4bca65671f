package io.podledger.replay;

import io.podledger.journal.Damage;
import io.podledger.journal.JournalReader;
import io.podledger.journal.LogRecord;
import io.podledger.projections.Event;
import io.podledger.projections.Invariants;
import io.podledger.projections.Ledger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Replays a whole journal and looks whether each fact can follow, whether the invariants hold
/// after it, and whether the state is what the log itself says: the hashes it wrote down and the
/// snapshots at the head of its segments.
final class Proof implements JournalReader.Visitor {
    private static final int FAULTS_MAX = 20;

    private final long every;
    private final List<Fault> faults = new ArrayList<>();
    private Optional<Ledger> known = Optional.empty();
    private boolean gap = true;
    private Optional<LogRecord> first = Optional.empty();
    private Optional<LogRecord> last = Optional.empty();
    private long records;
    private long unconfirmed;
    private long hashes;
    private long snapshots;
    private long passedOver;
    private long faultCount;

    /// @param every the invariants, for which everything has to be looked at, are examined after
    ///   each so many records, and at the end
    Proof(long every) {
        this.every = every;
    }

    /// Something that is wrong in what the log says, though its bytes are whole.
    ///
    /// @param sequence the record at fault; for a snapshot the record that it follows
    record Fault(long sequence, String what) {}

    @Override
    public void snapshot(long sequence, List<byte[]> chunks) {
        try {
            Ledger restored = Ledger.restore(chunks);
            if (!gap && known.isPresent()) {
                compare(sequence, restored);
            }
            known = Optional.of(restored);
        } catch (IllegalArgumentException | IllegalStateException e) {
            fault(sequence, "the snapshot after it cannot be read: " + e.getMessage());
            known = Optional.empty();
        }
        gap = false;
    }

    private void compare(long sequence, Ledger restored) {
        snapshots++;
        long replayed = known.orElseThrow().hash();
        if (restored.hash() != replayed) {
            fault(
                    sequence,
                    "the snapshot after it has the state hash "
                            + EventText.hash(restored.hash())
                            + ", replay gives "
                            + EventText.hash(replayed));
        }
    }

    @Override
    public void damage(Damage damage) {
        gap = true;
    }

    @Override
    public void record(LogRecord record, boolean confirmed) {
        first = first.or(() -> Optional.of(record));
        last = Optional.of(record);
        records++;
        unconfirmed += confirmed ? 0 : 1;
        Entry entry = Entry.of(record, confirmed);
        entry.event().ifPresentOrElse(event -> follow(entry, event), () -> unknown(entry));
    }

    private void follow(Entry entry, Event event) {
        if (known.isEmpty()) {
            return;
        }
        Ledger ledger = known.orElseThrow();
        try {
            ledger.apply(entry.ledgerMillis(), event);
            hashes += event instanceof Event.StateHashed ? 1 : 0;
        } catch (IllegalArgumentException | IllegalStateException e) {
            fault(entry.sequence(), "cannot follow: " + e.getMessage());
            known = Optional.empty();
            return;
        }
        if (records % every == 0) {
            examine(entry.sequence(), ledger, entry.ledgerMillis());
        }
    }

    private void examine(long sequence, Ledger ledger, long ledgerMillis) {
        Invariants.violations(ledger, ledgerMillis).forEach(broken -> fault(sequence, broken));
    }

    private void unknown(Entry entry) {
        if (entry.ignorable()) {
            passedOver++;
        } else {
            fault(entry.sequence(), entry.problem());
            known = Optional.empty();
        }
    }

    private void fault(long sequence, String what) {
        faultCount++;
        if (faults.size() < FAULTS_MAX) {
            faults.add(new Fault(sequence, what));
        }
    }

    /// To be called when all is told.
    void end() {
        last.ifPresent(
                record ->
                        known.ifPresent(
                                ledger ->
                                        examine(record.sequence(), ledger, record.ledgerMillis())));
    }

    List<Fault> faults() {
        return faults;
    }

    long every() {
        return every;
    }

    /// All of them, also those beyond the first few.
    long faultCount() {
        return faultCount;
    }

    Optional<Ledger> known() {
        return known;
    }

    Optional<LogRecord> first() {
        return first;
    }

    Optional<LogRecord> last() {
        return last;
    }

    long records() {
        return records;
    }

    /// Records that no later one proves to be durable.
    long unconfirmed() {
        return unconfirmed;
    }

    /// Hashes in the log that replay gave as well.
    long hashes() {
        return hashes;
    }

    /// Snapshots that replay gave as well.
    long snapshots() {
        return snapshots;
    }

    /// Records of a type that may be passed over, and was.
    long passedOver() {
        return passedOver;
    }
}
