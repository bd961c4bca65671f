package io.podledger.ipamd.writer;

import io.podledger.ipamd.host.LedgerClock;
import io.podledger.journal.Journal;
import io.podledger.projections.Command;
import io.podledger.projections.Decider;
import io.podledger.projections.Decision;
import io.podledger.projections.Event;
import io.podledger.projections.EventCodec;
import io.podledger.projections.Ledger;
import io.podledger.projections.Outcome;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The ledger and its journal, kept in step: a fact is applied and appended, or neither. Belongs to
/// the writer thread. Whatever it throws, the ledger in memory is void.
final class Book {
    private static final int HASH_EVERY_FACTS = 1_000;

    /// Facts that nobody waits for reach the disk after this long at the latest.
    static final Duration LAZY_SYNC = Duration.ofMillis(200);

    private static final Logger LOG = LoggerFactory.getLogger(Book.class);

    private final Journal journal;
    private final Ledger ledger;
    private final Decider decider;
    private final LedgerClock clock;
    private boolean mustSync;
    private boolean unsynced;
    private long unsyncedSinceNanos;
    private int factsSinceHash;

    Book(Journal journal, Ledger ledger, Decider decider, LedgerClock clock) {
        this.journal = journal;
        this.ledger = ledger;
        this.decider = decider;
        this.clock = clock;
    }

    Ledger ledger() {
        return ledger;
    }

    /// Decides, applies, appends. What the decision says may be told after [#settle].
    Decision commit(Command command) {
        long now = clock.now();
        Decision decision = decider.decide(ledger, command, now);
        List<byte[]> encoded;
        try {
            encoded = decision.events().stream().map(EventCodec::encode).toList();
        } catch (IllegalArgumentException e) {
            LOG.warn("a call is too large to be written down: {}", e.getMessage());
            return new Decision(
                    List.of(), false, new Outcome.Nothing(String.valueOf(e.getMessage())));
        }
        for (int i = 0; i < encoded.size(); i++) {
            record(decision.events().get(i), now, encoded.get(i));
        }
        mustSync |= decision.durable();
        hashIfDue(encoded.size());
        return decision;
    }

    /// A decision may have more facts than a segment's end has room for, so each may begin the next
    /// segment. The snapshot there has all facts before it.
    private void record(Event event, long now, byte[] encoded) {
        journal.rollIfDue();
        ledger.apply(now, event);
        journal.append(EventCodec.type(event), now, encoded);
        if (!unsynced) {
            unsynced = true;
            unsyncedSinceNanos = System.nanoTime();
        }
    }

    private void hashIfDue(int facts) {
        factsSinceHash += facts;
        if (factsSinceHash >= HASH_EVERY_FACTS) {
            factsSinceHash = 0;
            commit(new Command.Hash());
        }
    }

    /// Facts are there that are not known to be on the disk.
    boolean unsynced() {
        return unsynced;
    }

    /// [#settle] is to sync, even where no decision asks for it.
    void demandSync() {
        mustSync = true;
    }

    /// Syncs if somebody waits for it, or if facts have waited for long enough.
    void settle() {
        boolean late = unsynced && System.nanoTime() - unsyncedSinceNanos > LAZY_SYNC.toNanos();
        if (mustSync || late) {
            sync();
        }
    }

    /// The last facts of this process. The journal stays open.
    void finish(String reason) {
        commit(new Command.Hash());
        commit(new Command.Stop(reason));
        sync();
    }

    private void sync() {
        journal.sync();
        mustSync = false;
        unsynced = false;
    }
}
