package io.podledger.projections;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What a start changes: the boot, and the pool where the configuration did.
record StartRules(LedgerView ledger) {
    Decision decide(Command.Start start) {
        Optional<String> fault = Range.fault(start.ranges());
        if (fault.isPresent()) {
            return new Decision(
                    List.of(), false, new Outcome.Refused(Refusal.POOL_INVALID, fault.get()));
        }
        List<Range> before = ledger.ranges();
        List<Event> events = new ArrayList<>();
        events.add(start.facts());
        before.stream()
                .filter(range -> !start.ranges().contains(range))
                .map(range -> new Event.RangeRemoved(range.first(), range.prefixLength()))
                .forEach(events::add);
        start.ranges().stream()
                .filter(range -> !before.contains(range))
                .map(Event.RangeAdded::new)
                .forEach(events::add);
        return new Decision(events, true, new Outcome.Nothing("started"));
    }
}
