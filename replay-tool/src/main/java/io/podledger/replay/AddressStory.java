package io.podledger.replay;

import io.podledger.projections.Holder;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Ledger;
import io.podledger.projections.Resting;
import java.util.Optional;

/// Follows one address through the journal and remembers how it stood after one sequence, since
/// when and until when.
final class AddressStory implements Story.Listener {
    private final IpAddress address;
    private final long asked;
    private Standing standing = new Standing.Outside();
    private Optional<Entry> previous = Optional.empty();
    private Optional<Entry> since = Optional.empty();
    private Optional<Entry> until = Optional.empty();
    private Optional<Holder> holder = Optional.empty();
    private Optional<Holder> former = Optional.empty();
    private boolean answered;
    private long freeMillis;

    /// @param asked after which sequence
    AddressStory(IpAddress address, long asked) {
        this.address = address;
        this.asked = asked;
    }

    @Override
    public boolean entry(Entry entry, Optional<Ledger> before) {
        look(before);
        previous = Optional.of(entry);
        return until.isEmpty();
    }

    /// To be called when all is told.
    ///
    /// @throws ReplayException if nobody knows
    void end(Optional<Ledger> ledger) {
        look(ledger);
        if (!answered) {
            throw new ReplayException("what held after sequence " + asked + " is unknown");
        }
    }

    private void look(Optional<Ledger> ledger) {
        boolean reached = previous.filter(p -> p.sequence() >= asked).isPresent();
        if (reached && !answered && ledger.isEmpty()) {
            throw new ReplayException("what held after sequence " + asked + " is unknown");
        }
        ledger.ifPresent(known -> look(known, reached));
    }

    private void look(Ledger ledger, boolean reached) {
        Standing now = Standing.of(address, ledger);
        if (answered) {
            until = until.or(() -> now.equals(standing) ? Optional.empty() : previous);
            return;
        }
        if (!now.equals(standing)) {
            former = holder.or(() -> former);
            since = previous;
            standing = now;
        }
        holder = now instanceof Standing.Held(var who) ? ledger.holder(who) : Optional.empty();
        if (reached) {
            answered = true;
            freeMillis = freeMillis(ledger);
        }
    }

    private long freeMillis(Ledger ledger) {
        return ledger.resting().stream()
                .filter(r -> r.address().equals(address))
                .mapToLong(Resting::freeMillis)
                .findFirst()
                .orElse(0);
    }

    Standing standing() {
        return standing;
    }

    /// Who has it, for [Standing.Held].
    Optional<Holder> holder() {
        return holder;
    }

    /// Who had it last before, as far as the journal is kept.
    Optional<Holder> former() {
        return former;
    }

    /// The fact that made it so; it was so when the journal began if there is none.
    Optional<Entry> since() {
        return since;
    }

    /// The fact that ended it; it is so to the journal's end if there is none.
    Optional<Entry> until() {
        return until;
    }

    /// Ledger time from which the address may be given again, 0 if nobody ever had it.
    long freeMillis() {
        return freeMillis;
    }
}
