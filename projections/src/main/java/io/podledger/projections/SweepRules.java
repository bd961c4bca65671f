package io.podledger.projections;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// How an attachment goes whose DEL was lost. Only what the runtime manages is looked at, since it
/// lists nothing else, and only if it is the runtime that calls us: one that has not a single
/// container of ours may be another on the same node. It takes two lists without the sandbox, the
/// grace apart, and after them the runtime's own word that it has none of this ID; whatever is
/// heard of it meanwhile starts anew.
record SweepRules(LedgerView ledger, Sweep sweep, long now, long coolingUntilMillis) {
    /// What a list changes in what is missed.
    ///
    /// @param ids those of the list
    List<Event> listed(Set<String> ids, long list) {
        boolean ours = ledger.knowsContainer(ids);
        List<Event> events = new ArrayList<>();
        for (Holder holder : ledger.managed()) {
            Attachment attachment = holder.lease().attachment();
            boolean there = ids.contains(attachment.containerId());
            if (there && holder.missed().isPresent()) {
                events.add(new Event.AttachmentFound(attachment, "list " + list + " has it"));
            } else if (ours && !there && holder.missed().isEmpty()) {
                events.add(new Event.AttachmentMissed(attachment, list));
            }
        }
        return events;
    }

    /// That the runtime knows a sandbox after all.
    List<Event> found(Sandbox sandbox) {
        return ledger.managed().stream()
                .filter(holder -> holder.missed().isPresent())
                .map(holder -> holder.lease().attachment())
                .filter(attachment -> attachment.containerId().equals(sandbox.id()))
                .<Event>map(a -> new Event.AttachmentFound(a, "the runtime has it when asked"))
                .toList();
    }

    /// What is missed and to be asked for once more: nothing else stands between it and the end.
    ///
    /// @param ids those of the list
    List<Attachment> due(Set<String> ids) {
        if (!ledger.knowsContainer(ids)) {
            return List.of();
        }
        return ledger.managed().stream()
                .filter(this::overdue)
                .map(holder -> holder.lease().attachment())
                .filter(attachment -> !ids.contains(attachment.containerId()))
                .toList();
    }

    private boolean overdue(Holder holder) {
        return holder.missed().filter(m -> now - m.millis() >= sweep.graceMillis()).isPresent()
                && now - holder.addedMillis() >= sweep.floorMillis();
    }

    Decision decide(Command.Sweep command) {
        Optional<Holder> holder =
                ledger.managed().stream()
                        .filter(h -> h.lease().attachment().equals(command.attachment()))
                        .filter(this::overdue)
                        .findFirst();
        boolean later =
                holder.flatMap(Holder::missed).stream().anyMatch(m -> m.list() < command.list());
        return later
                ? swept(holder.get(), command)
                : Decider.nothing("the attachment is not missed for long enough");
    }

    private Decision swept(Holder holder, Command.Sweep command) {
        Lease lease = holder.lease();
        Missed missed = holder.missed().orElseThrow();
        String evidence =
                "not in the runtime's lists %d to %d, %d s apart, nor known when asked; last added %d s ago"
                        .formatted(
                                missed.list(),
                                command.list(),
                                (now - missed.millis()) / 1_000,
                                (now - holder.addedMillis()) / 1_000);
        Event fact = new Event.AttachmentSwept(lease.attachment(), evidence);
        return switch (lease.mode()) {
            case ROUTED ->
                    new Decision(
                            List.of(fact), true, new Outcome.Unwire(lease, ledger.nextNumber()));
            case IPAM -> {
                Event released =
                        new Event.Released(
                                lease.attachment(),
                                ReleaseCause.SWEPT,
                                "the interface is another plugin's",
                                coolingUntilMillis);
                yield new Decision(
                        List.of(fact, released), true, new Outcome.Deleted(DelVerdict.RELEASING));
            }
        };
    }
}
