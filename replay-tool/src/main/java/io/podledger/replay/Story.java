package io.podledger.replay;

import io.podledger.journal.Damage;
import io.podledger.journal.JournalReader;
import io.podledger.journal.LogRecord;
import io.podledger.projections.Event;
import io.podledger.projections.Ledger;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The journal told from its oldest kept record on, with the ledger as it was before each of them.
/// What cannot be understood is noted and passed over: a post-mortem shows what can be read.
final class Story implements JournalReader.Visitor {
    /// Hears the story.
    interface Listener {
        /// @param before what the facts so far add up to, where that is known
        /// @return whether to go on
        boolean entry(Entry entry, Optional<Ledger> before);
    }

    private static final int NOTES_MAX = 20;

    private final Listener listener;
    private final Consumer<String> notes;
    private int notesLeft = NOTES_MAX;
    private Optional<Ledger> known = Optional.empty();
    private boolean gap = true;
    private boolean stopped;

    /// @param notes takes what a person should know about the telling
    Story(Listener listener, Consumer<String> notes) {
        this.listener = listener;
        this.notes = notes;
    }

    /// What the facts that were told add up to, if nothing got in the way.
    Optional<Ledger> known() {
        return known;
    }

    @Override
    public void snapshot(long sequence, List<byte[]> chunks) {
        if (stopped || (!gap && known.isPresent())) {
            return;
        }
        gap = false;
        try {
            known = Optional.of(Ledger.restore(chunks));
        } catch (IllegalArgumentException | IllegalStateException e) {
            forget("the snapshot after sequence " + sequence + " is not one: " + e.getMessage());
        }
    }

    @Override
    public void damage(Damage damage) {
        if (!stopped) {
            gap = true;
            note("damage: " + damage);
        }
    }

    @Override
    public void record(LogRecord record, boolean confirmed) {
        if (stopped) {
            return;
        }
        Entry entry = Entry.of(record, confirmed);
        stopped = !listener.entry(entry, known);
        if (!stopped) {
            entry.event().ifPresentOrElse(event -> apply(entry, event), () -> unknown(entry));
        }
    }

    private void apply(Entry entry, Event event) {
        try {
            known.ifPresent(ledger -> ledger.apply(entry.ledgerMillis(), event));
        } catch (IllegalArgumentException | IllegalStateException e) {
            forget("sequence " + entry.sequence() + " cannot follow: " + e.getMessage());
        }
    }

    private void unknown(Entry entry) {
        if (!entry.ignorable()) {
            forget("sequence " + entry.sequence() + ": " + entry.problem());
        }
    }

    /// From here to the next snapshot nobody knows what holds.
    private void forget(String why) {
        note(why + ". Who holds what is unknown from here to the next snapshot.");
        known = Optional.empty();
    }

    private void note(String note) {
        if (notesLeft > 0) {
            notesLeft--;
            notes.accept(note);
        }
    }
}
