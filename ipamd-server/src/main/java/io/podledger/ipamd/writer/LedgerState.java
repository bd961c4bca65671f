package io.podledger.ipamd.writer;

import io.podledger.journal.JournalException;
import io.podledger.journal.LogRecord;
import io.podledger.journal.State;
import io.podledger.projections.EventCodec;
import io.podledger.projections.Ledger;
import java.util.List;

/// The ledger as the journal's state: replayed from it at start, written into each new segment.
public final class LedgerState implements State {
    private Ledger ledger = new Ledger();

    public Ledger ledger() {
        return ledger;
    }

    @Override
    public void restore(List<byte[]> chunks) {
        ledger = Ledger.restore(chunks);
    }

    @Override
    public void apply(LogRecord record) {
        if (EventCodec.ignorable(record.type())) {
            return;
        }
        try {
            ledger.apply(record.ledgerMillis(), EventCodec.decode(record.type(), record.payload()));
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new JournalException(
                    "record "
                            + record.sequence()
                            + ", written after a start of version '"
                            + ledger.boot().start().version()
                            + "', cannot be taken: "
                            + e.getMessage()
                            + "; look at it with 'podledger replay verify'",
                    e);
        }
    }

    @Override
    public List<byte[]> snapshot() {
        return ledger.snapshot();
    }
}
