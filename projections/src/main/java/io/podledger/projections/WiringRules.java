package io.podledger.projections;

import java.util.List;
import java.util.Optional;

/// What follows from what the wiring did.
record WiringRules(LedgerView ledger, long now, long coolingUntilMillis) {
    private static final String LATE = "the order is not the attachment's newest";

    Decision done(Command.WiringDone done) {
        return ordered(done.attachment(), done.order())
                .map(
                        holder ->
                                switch (holder.state()) {
                                    case RESERVED -> granted(holder, wired(done));
                                    case WIRED -> granted(holder, List.of());
                                    case RELEASING -> Decider.nothing(LATE);
                                })
                .orElseGet(() -> Decider.nothing(LATE));
    }

    private static List<Event> wired(Command.WiringDone done) {
        return List.of(new Event.Wired(done.attachment()));
    }

    /// A newer sandbox of the pod may have come while the wiring was under way.
    private Decision granted(Holder holder, List<Event> events) {
        Lease lease = holder.lease();
        if (lease.shared().lost()) {
            String why = AddRules.notOwner(ledger, lease);
            return new Decision(events, false, new Outcome.Refused(Refusal.NOT_OWNER, why));
        }
        return new Decision(events, false, new Outcome.Granted(holder.lease()));
    }

    Decision broke(Command.WiringBroke broke) {
        String reason = Texts.clip(broke.reason());
        return ordered(broke.attachment(), broke.order())
                .map(
                        holder ->
                                switch (holder.state()) {
                                    case RESERVED -> failed(holder, reason);
                                    case WIRED -> notRepaired(holder, reason);
                                    case RELEASING -> Decider.nothing(LATE);
                                })
                .orElseGet(() -> Decider.nothing(LATE));
    }

    private Decision failed(Holder holder, String reason) {
        Lease lease = holder.lease();
        return new Decision(
                List.of(new Event.WiringFailed(lease.attachment(), reason)),
                true,
                new Outcome.Failed(lease, reason, ledger.nextNumber()));
    }

    /// A repeated ADD found something wrong that it could not mend. The pod may well work in part,
    /// and only its DEL takes it down.
    private Decision notRepaired(Holder holder, String reason) {
        Lease lease = holder.lease();
        return Decider.refused(
                ledger,
                now,
                new Event.AddRefused(
                        lease.attachment(), lease.pod(), Refusal.NOT_REPAIRED, reason));
    }

    Decision tornDown(Command.TeardownDone done) {
        return ordered(done.attachment(), done.order())
                .filter(holder -> holder.state() == LeaseState.RELEASING)
                .map(
                        holder ->
                                released(
                                        holder.lease(),
                                        holder.cause(),
                                        "nothing of it is left in the kernel"))
                .orElseGet(() -> Decider.nothing(LATE));
    }

    /// No device does not mean that there is nothing: rules outlive a device that went with its
    /// namespace.
    Decision abandon(Command.Abandon abandon) {
        return ledger.holder(abandon.attachment())
                .filter(holder -> holder.state() == LeaseState.RESERVED)
                .map(holder -> abandoned(holder.lease(), Texts.clip(abandon.evidence())))
                .orElseGet(() -> Decider.nothing("the attachment is not merely reserved"));
    }

    private Decision abandoned(Lease lease, String evidence) {
        return new Decision(
                List.of(new Event.AddAbandoned(lease.attachment(), evidence)),
                true,
                new Outcome.Unwire(lease, ledger.nextNumber()));
    }

    private Decision released(Lease lease, ReleaseCause cause, String evidence) {
        return new Decision(
                List.of(
                        new Event.Released(
                                lease.attachment(), cause, evidence, coolingUntilMillis)),
                false,
                new Outcome.Deleted(DelVerdict.RELEASING));
    }

    private Optional<Holder> ordered(Attachment attachment, long order) {
        return ledger.holder(attachment).filter(holder -> holder.order() == order);
    }
}
