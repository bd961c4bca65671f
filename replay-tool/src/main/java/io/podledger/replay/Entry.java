package io.podledger.replay;

import io.podledger.journal.LogRecord;
import io.podledger.projections.Event;
import io.podledger.projections.EventCodec;
import java.util.Optional;

/// One record of the journal with what it says.
///
/// @param ignorable the writer says that who does not know the type may pass over it
/// @param type the fact's simple name, or `Unknown(0x…)`
/// @param event the fact, if this version knows its type
/// @param problem why there is no event
/// @param confirmed a later record proves that this one was durable; on a live journal the newest
///   records are not confirmed yet
record Entry(
        long sequence,
        long ledgerMillis,
        long wallMillis,
        boolean ignorable,
        String type,
        Optional<Event> event,
        String problem,
        boolean confirmed) {
    private static final int IGNORABLE = 0x8000;

    static Entry of(LogRecord record, boolean confirmed) {
        try {
            Event event = EventCodec.decode(record.type(), record.payload());
            String type = event.getClass().getSimpleName();
            return of(record, type, Optional.of(event), "", confirmed);
        } catch (IllegalArgumentException e) {
            String type = "Unknown(0x%04x)".formatted(record.type());
            String problem = e.getMessage() + ": use the version that wrote it";
            return of(record, type, Optional.empty(), problem, confirmed);
        }
    }

    private static Entry of(
            LogRecord record,
            String type,
            Optional<Event> event,
            String problem,
            boolean confirmed) {
        return new Entry(
                record.sequence(),
                record.ledgerMillis(),
                record.wallMillis(),
                (record.type() & IGNORABLE) != 0,
                type,
                event,
                problem,
                confirmed);
    }
}
