package io.podledger.replay;

import io.podledger.projections.IpAddress;
import io.podledger.projections.Ledger;
import java.util.Optional;
import java.util.stream.Collectors;

/// Facts that pass a filter, one on each line as they come by: nothing is collected.
final class EventTable implements Story.Listener {
    private static final String COLUMNS = "%-29s  %9s  %-17s  %-40s  %-15s  %s%n";

    private final Where where;
    private final TimeText times;
    private final Filter filter;
    private long left;
    private boolean headed;

    EventTable(Where where, TimeText times, Filter filter, long limit) {
        this.where = where;
        this.times = times;
        this.filter = filter;
        this.left = limit;
    }

    @Override
    public boolean entry(Entry entry, Optional<Ledger> before) {
        Subject subject = Subject.of(entry, before);
        if (filter.passes(entry, subject)) {
            show(entry, subject);
            left--;
        }
        return left > 0 && !filter.isPast(entry);
    }

    private void show(Entry entry, Subject subject) {
        if (where.json()) {
            where.out().println(EventJson.entry(entry, subject));
            return;
        }
        head();
        where.out()
                .printf(
                        COLUMNS,
                        times.show(entry.wallMillis()),
                        entry.sequence() + (entry.confirmed() ? " " : "?"),
                        entry.type(),
                        who(subject),
                        addresses(subject),
                        details(entry));
    }

    private void head() {
        if (!headed) {
            headed = true;
            where.out().printf(COLUMNS, "TIME", "SEQ ", "TYPE", "WHO", "ADDRESSES", "DETAILS");
        }
    }

    private static String who(Subject subject) {
        String pod = subject.pod().map(p -> p.namespace() + "/" + p.name() + " ").orElse("");
        return EventText.plain(pod + subject.attachment().map(EventText::attachment).orElse(""));
    }

    private static String addresses(Subject subject) {
        return subject.addresses().stream()
                .map(IpAddress::toString)
                .collect(Collectors.joining(","));
    }

    private static String details(Entry entry) {
        return entry.event()
                .map(e -> EventText.plain(EventText.details(e, entry.ledgerMillis())))
                .orElse("");
    }
}
