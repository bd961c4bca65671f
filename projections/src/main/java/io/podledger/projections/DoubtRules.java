package io.podledger.projections;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What becomes of devices that carry our mark and that the ledger does not explain.
record DoubtRules(LedgerView ledger) {
    Decision compare(Command.Compare compare) {
        Set<IpAddress> withheld = new HashSet<>();
        List<Event> events = new ArrayList<>();
        Set<String> known = ledger.devices();
        for (Command.Marked marked : compare.marked()) {
            if (!known.contains(marked.hostDevice())) {
                suspect(marked, withheld, events);
            }
        }
        return new Decision(
                events, false, new Outcome.Nothing(events.size() + " new facts about suspects"));
    }

    private void suspect(Command.Marked marked, Set<IpAddress> withheld, List<Event> events) {
        List<IpAddress> addresses =
                marked.addresses().stream().filter(ledger::unheld).filter(withheld::add).toList();
        String why =
                Texts.clip(
                        "the kernel shows it with the mark '%s', and the ledger does not know it"
                                .formatted(marked.mark()));
        int step = Event.AttachmentSuspected.ADDRESSES_MAX;
        for (int from = 0; from < addresses.size(); from += step) {
            int to = Math.min(from + step, addresses.size());
            events.add(
                    new Event.AttachmentSuspected(
                            marked.hostDevice(), addresses.subList(from, to), why));
        }
    }

    Decision gone(Command.SuspectGone gone, long coolingUntilMillis) {
        if (ledger.suspect(gone.hostDevice()).isEmpty()) {
            return Decider.nothing("the device is not suspected");
        }
        return new Decision(
                List.of(
                        new Event.SuspicionCleared(
                                gone.hostDevice(),
                                Texts.clip(gone.evidence()),
                                coolingUntilMillis)),
                false,
                new Outcome.Deleted(DelVerdict.UNKNOWN));
    }
}
