package io.podledger.benchmarks;

import io.podledger.ipamd.writer.LedgerState;
import io.podledger.journal.Journal;
import io.podledger.journal.JournalOptions;
import io.podledger.projections.Attachment;
import io.podledger.projections.Command;
import io.podledger.projections.Decider;
import io.podledger.projections.Event;
import io.podledger.projections.EventCodec;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Mode;
import io.podledger.projections.NamespaceIdentity;
import io.podledger.projections.Pod;
import io.podledger.projections.Range;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Writes the journal of a node whose pods came and went, a pod a second, with as many living at
/// any time as a large node has.
final class History {
    private static final String POOL = "10.64.0.0";
    private static final int POOL_PREFIX = 16;
    private static final int LIVING = 250;
    private static final long COOLDOWN_MILLIS = 120_000;

    private final Journal journal;
    private final LedgerState state;
    private final Decider decider = new Decider(COOLDOWN_MILLIS);
    private long now = 1;
    private long order;
    private int events;

    private History(Journal journal, LedgerState state) {
        this.journal = journal;
        this.state = state;
    }

    /// @param folder the journal's own
    /// @return how many events there are
    static int write(Path folder, int segmentBytes, int eventsMin) {
        LedgerState state = new LedgerState();
        try (Journal journal = Journal.open(folder, new JournalOptions(segmentBytes), state)) {
            return new History(journal, state).write(eventsMin);
        }
    }

    private int write(int eventsMin) {
        commit(
                new Command.Start(
                        new Event.DaemonStarted("benchmark", "", 0, "", ""),
                        List.of(new Range(IpAddress.parse(POOL), POOL_PREFIX, "", 0))));
        for (int pod = 0; events < eventsMin; pod++) {
            now += 1_000;
            add(pod);
            if (pod >= LIVING) {
                del(pod - LIVING);
            }
        }
        return events;
    }

    private void add(int pod) {
        commit(
                new Command.Add(
                        attachment(pod),
                        Optional.of(pod(pod)),
                        true,
                        Mode.ROUTED,
                        new NamespaceIdentity(4, 4_026_532_000L + pod, "boot"),
                        "/var/run/netns/cni-5f0c6a1e-5b0e-4c1e-9c56-%012d".formatted(pod),
                        device(pod),
                        1_500));
        commit(new Command.WiringDone(attachment(pod), order));
    }

    private void del(int pod) {
        commit(
                new Command.Del(
                        attachment(pod), Optional.of(pod(pod)), device(pod), Optional.empty()));
        commit(new Command.TeardownDone(attachment(pod), order));
    }

    private static Attachment attachment(int pod) {
        return new Attachment("podledger", "%064x".formatted(pod), "eth0");
    }

    private static Pod pod(int pod) {
        return new Pod(
                "shop", "web-6d4b75cb6d-%05d".formatted(pod), "5f0c6a1e-5b0e-%016x".formatted(pod));
    }

    private static String device(int pod) {
        return "eni%011x".formatted(pod);
    }

    private void commit(Command command) {
        order = state.ledger().nextNumber();
        journal.rollIfDue();
        for (Event event : decider.decide(state.ledger(), command, now).events()) {
            state.ledger().apply(now, event);
            journal.append(EventCodec.type(event), now, EventCodec.encode(event));
            events++;
        }
    }
}
