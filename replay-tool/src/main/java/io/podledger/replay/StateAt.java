package io.podledger.replay;

import io.podledger.projections.Ledger;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The whole ledger at a moment.
@Command(
        name = "state",
        description = "Shows who holds what at a moment, and what is cooling or withheld.",
        footer = {"", Survey.HELP, "", "Example: podledger replay state --at '5m ago'"})
final class StateAt implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init")
    private Where where;

    @Option(
            names = "--at",
            paramLabel = "SEQ|TIME",
            defaultValue = "",
            description = "The moment: " + Moment.EXAMPLES + ". Default: the journal's end.")
    private String at = "";

    @Override
    public Integer call() {
        TimeText times = where.times();
        Moment moment = where.moment("--at", at, times);
        try (Opened journal = where.open()) {
            Opened.Place place = journal.find(moment, times);
            long sequence = place.record().sequence();
            Ledger ledger =
                    journal.tell((entry, _) -> entry.sequence() <= sequence)
                            .known()
                            .orElseThrow(
                                    () ->
                                            new ReplayException(
                                                    "what held after sequence "
                                                            + sequence
                                                            + " is unknown"));
            var state = new StateAnswer(ledger, place);
            if (where.json()) {
                state.json(where.out());
            } else {
                state.text(where.out(), times);
            }
            return Main.ANSWERED;
        }
    }
}
