package io.podledger.projections;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What a DEL takes down: what its own attachment holds, and nothing else.
record DelRules(LedgerView ledger, long now, long coolingUntilMillis) {
    Decision decide(Command.Del del) {
        return ledger.holder(del.attachment())
                .map(holder -> held(del, holder))
                .orElseGet(() -> unheld(del));
    }

    private Decision held(Command.Del del, Holder holder) {
        if (outdated(del, holder)) {
            return Decider.nothing("the attachment was added anew after this DEL was written down");
        }
        Optional<Pod> pod = del.pod().or(() -> holder.lease().pod());
        Optional<Attachment> owner = owner(pod, del.attachment());
        SharedThing shared = holder.lease().shared();
        String withheld = shared.lost() ? shared.device() : "";
        return holder.state() == LeaseState.RELEASING
                ? join(del, holder, received(del, DelVerdict.REPEATED, owner, 0, withheld))
                : takeDown(holder, received(del, DelVerdict.RELEASING, owner, 0, withheld));
    }

    private Decision takeDown(Holder holder, Event.DelReceived received) {
        Lease lease = holder.lease();
        return switch (lease.mode()) {
            case ROUTED ->
                    new Decision(
                            List.of(received),
                            true,
                            new Outcome.Unwire(lease, ledger.nextNumber()));
            case IPAM ->
                    new Decision(
                            List.of(received, released(lease, ReleaseCause.DEL)),
                            true,
                            new Outcome.Deleted(received.verdict()));
        };
    }

    /// The attachment is on its way out already: this DEL waits for the same teardown.
    private Decision join(Command.Del del, Holder holder, Event.DelReceived received) {
        List<Event> events = new ArrayList<>(2);
        if (!noted(del)) {
            events.add(received);
        }
        Lease lease = holder.lease();
        return switch (lease.mode()) {
            case ROUTED -> new Decision(events, true, new Outcome.Unwire(lease, holder.order()));
            case IPAM -> {
                events.add(released(lease, holder.cause()));
                yield new Decision(events, true, new Outcome.Deleted(received.verdict()));
            }
        };
    }

    private Event released(Lease lease, ReleaseCause cause) {
        return new Event.Released(
                lease.attachment(), cause, "the interface is another plugin's", coolingUntilMillis);
    }

    private Decision unheld(Command.Del del) {
        Optional<Suspect> suspect = ledger.suspect(del.hostDevice());
        boolean released = ledger.released(del.attachment());
        DelVerdict verdict = released ? DelVerdict.REPEATED : DelVerdict.UNKNOWN;
        long fence = released || suspect.isPresent() ? 0 : fence(del);
        Event.DelReceived received =
                received(del, verdict, owner(del.pod(), del.attachment()), fence, "");
        boolean fenced = ledger.fencedUntil(del.attachment(), now).isPresent();
        boolean known = noted(del) && (fence == 0 || fenced);
        Outcome outcome =
                suspect.<Outcome>map(s -> new Outcome.UnwireSuspect(s.hostDevice(), s.addresses()))
                        .orElseGet(() -> new Outcome.Deleted(received.verdict()));
        return new Decision(known ? List.of() : List.of(received), true, outcome);
    }

    private static Event.DelReceived received(
            Command.Del del,
            DelVerdict verdict,
            Optional<Attachment> owner,
            long fence,
            String withheld) {
        return new Event.DelReceived(
                del.attachment(),
                del.pod(),
                owner.isPresent() ? DelVerdict.STALE : verdict,
                owner,
                del.spooled().isPresent(),
                fence,
                withheld);
    }

    /// The sandbox that owns the pod now, if it is a newer one.
    private Optional<Attachment> owner(Optional<Pod> pod, Attachment attachment) {
        return pod.flatMap(p -> ledger.newer(p, attachment));
    }

    private boolean noted(Command.Del del) {
        return Decider.noted(ledger, Note.del(del.attachment()), now);
    }

    /// Whether the DEL was written down before the attachment was added as it is now. In doubt the
    /// living are spared: a DEL too few is found by the next look at runtime and kernel, a DEL too
    /// many cuts a pod off.
    private boolean outdated(Command.Del del, Holder holder) {
        if (del.spooled().isEmpty()) {
            return false;
        }
        long written = writtenMillis(del.spooled().get()).orElse(ledger.boot().sinceMillis());
        return holder.addedMillis() >= written;
    }

    /// Ledger time at which a DEL of this boot was written down. A DEL of another boot is older
    /// than this boot, and what it was for did not outlive the reboot. One that was written in this
    /// boot before the daemon came up counts from the boot's begin in the ledger: ledger time stood
    /// still meanwhile, and reckoned back it would lie before what the boot before had added.
    private OptionalLong writtenMillis(Command.SpoolTime spooled) {
        Boot boot = ledger.boot();
        long reckoned = boot.offsetMillis() + spooled.bootMillis();
        return spooled.bootId().equals(boot.id())
                ? OptionalLong.of(Math.clamp(reckoned, boot.sinceMillis(), now))
                : OptionalLong.empty();
    }

    /// Until when the ADD that belongs before this DEL is refused, 0 for not at all. The time
    /// counts from when the runtime sent the DEL, and a DEL of another boot fences nothing.
    private long fence(Command.Del del) {
        OptionalLong sent =
                del.spooled().isEmpty() ? OptionalLong.of(now) : writtenMillis(del.spooled().get());
        return sent.stream()
                .map(millis -> millis + Decider.FENCE_MILLIS)
                .filter(until -> until > now)
                .findFirst()
                .orElse(0);
    }
}
