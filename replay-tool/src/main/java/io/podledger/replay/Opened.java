package io.podledger.replay;

import io.podledger.journal.JournalReader;
import io.podledger.journal.LogRecord;
import io.podledger.journal.Summary;
import java.io.PrintWriter;
import java.util.Optional;

/// A journal that is open for reading.
final class Opened implements AutoCloseable {
    private final JournalReader reader;
    private final PrintWriter err;

    Opened(JournalReader reader, PrintWriter err) {
        this.reader = reader;
        this.err = err;
    }

    /// Where a moment lies.
    ///
    /// @param record the last one that had happened
    /// @param ledgerMillis ledger time at the moment
    /// @param older another place where the wall clock showed the same time
    record Place(LogRecord record, long ledgerMillis, Optional<LogRecord> older) {}

    Summary summary() {
        return reader.summary();
    }

    /// Tells the story from its beginning, and a person what there is to know about the telling.
    Story tell(Story.Listener listener) {
        var story = new Story(listener, note -> err.println(EventText.plain("note: " + note)));
        read(story);
        return story;
    }

    /// @throws ReplayException if the journal does not reach the moment
    Place find(Moment moment, TimeText times) {
        var survey = new Survey(moment);
        read(survey);
        LogRecord meant = survey.meant(summary().lastSequence(), times);
        survey.older().ifPresent(older -> sayAmbiguous(older, times));
        return new Place(meant, survey.ledgerMillis(meant), survey.older());
    }

    /// Shows a visitor the whole journal, with a bar for a person who waits.
    void read(JournalReader.Visitor visitor) {
        try (var progress = new Progress(err, summary().lastSequence())) {
            reader.read(JournalReader.From.OLDEST, progress.around(visitor));
        }
    }

    private void sayAmbiguous(LogRecord older, TimeText times) {
        err.printf(
                "note: the node's clock went back over this time: it also fits after sequence %d"
                        + " of %s (--at %d)%n",
                older.sequence(), times.show(older.wallMillis()), older.sequence());
    }

    @Override
    public void close() {
        reader.close();
    }
}
