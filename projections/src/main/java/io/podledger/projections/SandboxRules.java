package io.podledger.projections;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What the runtime's word on its sandboxes adds to the ledger: what is new, what has changed, and
/// what is gone. Nobody waits for it.
record SandboxRules(LedgerView ledger, SweepRules sweep) {
    Decision listed(Command.SandboxesListed listed) {
        List<Event> events = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (Sandbox sandbox : listed.sandboxes()) {
            if (ids.add(sandbox.id()) && changed(sandbox)) {
                events.add(observed(sandbox, SandboxSource.LIST, listed.list()));
            }
        }
        for (Sandbox known : ledger.sandboxes()) {
            if (!ids.contains(known.id())) {
                events.add(vanished(known.id(), SandboxSource.LIST, listed.list()));
            }
        }
        List<Event> all = bounded(events);
        all.addAll(sweep.listed(ids, listed.list()));
        return new Decision(all, false, new Outcome.Recheck(sweep.due(ids)));
    }

    Decision shown(Command.SandboxShown shown) {
        Optional<Event> event =
                shown.sandbox().isPresent()
                        ? shown.sandbox()
                                .filter(this::changed)
                                .map(s -> observed(s, SandboxSource.STATUS, shown.list()))
                        : ledger.sandbox(shown.id())
                                .map(s -> vanished(s.id(), SandboxSource.STATUS, shown.list()));
        List<Event> all = bounded(event.stream().toList());
        shown.sandbox().ifPresent(sandbox -> all.addAll(sweep.found(sandbox)));
        return told(all);
    }

    /// Where more sandboxes are listed than any node runs, the rest is left unknown.
    private List<Event> bounded(List<Event> events) {
        long gone = events.stream().filter(Event.SandboxVanished.class::isInstance).count();
        long room = Ledger.SANDBOXES_MAX - ledger.sandboxes().size() + gone;
        List<Event> bounded = new ArrayList<>();
        events.stream().filter(Event.SandboxVanished.class::isInstance).forEach(bounded::add);
        for (Event event : events) {
            if (event instanceof Event.SandboxObserved(var sandbox, var _, var _)) {
                boolean known = ledger.sandbox(sandbox.id()).isPresent();
                if (known || room-- > 0) {
                    bounded.add(event);
                }
            }
        }
        return bounded;
    }

    private boolean changed(Sandbox sandbox) {
        return !ledger.sandbox(sandbox.id()).equals(Optional.of(sandbox));
    }

    private static Event observed(Sandbox sandbox, SandboxSource source, long list) {
        return new Event.SandboxObserved(sandbox, source, list);
    }

    private static Event vanished(String id, SandboxSource source, long list) {
        return new Event.SandboxVanished(id, source, list);
    }

    private static Decision told(List<Event> events) {
        return new Decision(
                events, false, new Outcome.Nothing(events.size() + " new facts about sandboxes"));
    }
}
