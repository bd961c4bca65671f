package io.podledger.ipamd.writer;

import io.podledger.journal.Journal;
import io.podledger.journal.JournalOptions;
import io.podledger.projections.DelVerdict;
import io.podledger.projections.Event;
import io.podledger.projections.EventCodec;
import java.nio.file.Path;
import java.util.Optional;

/// A process that was killed between the two facts of an `ipam` DEL.
final class DelHalf {
    private DelHalf() {}

    static void write(Path folder, String container) {
        LedgerState state = new LedgerState();
        try (Journal journal =
                Journal.open(folder.resolve("journal"), new JournalOptions(1 << 20), state)) {
            Event half =
                    new Event.DelReceived(
                            Node.attachment(container),
                            Optional.empty(),
                            DelVerdict.RELEASING,
                            Optional.empty(),
                            false,
                            0);
            journal.append(EventCodec.type(half), journal.ledgerMillis(), EventCodec.encode(half));
        }
    }
}
