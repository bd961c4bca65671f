package io.podledger.projections;

import java.util.List;

/// Turns commands into facts. Pure: time is an argument, and nothing here changes the ledger.
///
/// @param cooldownMillis how long a released address rests, in ms of ledger time
/// @param sweep when what no DEL came for is taken down
public record Decider(long cooldownMillis, Sweep sweep) {
    /// For so long the ADD that comes after its DEL is refused: kubelet gives an ADD up after 4
    /// min.
    public static final long FENCE_MILLIS = 300_000;

    /// What changes nothing is written down once in so long.
    public static final long NOTE_MILLIS = 60_000;

    public Decider(long cooldownMillis) {
        this(cooldownMillis, Sweep.DEFAULTS);
    }

    /// @param now ledger time in ms
    public Decision decide(LedgerView ledger, Command command, long now) {
        return switch (command) {
            case Command.Add add -> new AddRules(ledger, now).decide(add);
            case Command.Del del -> new DelRules(ledger, now, now + cooldownMillis).decide(del);
            case Command.WiringDone done -> wiring(ledger, now).done(done);
            case Command.WiringBroke broke -> wiring(ledger, now).broke(broke);
            case Command.TeardownDone done -> wiring(ledger, now).tornDown(done);
            case Command.Abandon abandon -> wiring(ledger, now).abandon(abandon);
            case Command.Compare compare -> new DoubtRules(ledger).compare(compare);
            case Command.SuspectGone gone ->
                    new DoubtRules(ledger).gone(gone, now + cooldownMillis);
            case Command.SandboxesListed listed ->
                    new SandboxRules(ledger, sweeping(ledger, now)).listed(listed);
            case Command.SandboxShown shown ->
                    new SandboxRules(ledger, sweeping(ledger, now)).shown(shown);
            case Command.Sweep swept -> sweeping(ledger, now).decide(swept);
            case Command.Start start -> new StartRules(ledger).decide(start);
            case Command.Stop stop ->
                    new Decision(
                            List.of(new Event.DaemonStopped(Texts.clip(stop.reason()))),
                            true,
                            new Outcome.Nothing("stopped"));
            case Command.Hash _ ->
                    new Decision(
                            List.of(new Event.StateHashed(Ledger.CANONICAL_VERSION, ledger.hash())),
                            false,
                            new Outcome.Nothing("hashed"));
        };
    }

    private SweepRules sweeping(LedgerView ledger, long now) {
        return new SweepRules(ledger, sweep, now, now + cooldownMillis);
    }

    private WiringRules wiring(LedgerView ledger, long now) {
        return new WiringRules(ledger, now, now + cooldownMillis);
    }

    static Decision nothing(String why) {
        return new Decision(List.of(), false, new Outcome.Nothing(why));
    }

    /// Whether a thing was written down less than a minute ago.
    static boolean noted(LedgerView ledger, String about, long now) {
        return ledger.noted(about).stream().anyMatch(millis -> now - millis < NOTE_MILLIS);
    }

    /// A refusal of an ADD: it changes nothing and nobody waits for it.
    static Decision refused(LedgerView ledger, long now, Event.AddRefused refusal) {
        boolean noted =
                noted(
                        ledger,
                        Note.refusal(refusal.attachment(), refusal.pod(), refusal.reason()),
                        now);
        return new Decision(
                noted ? List.of() : List.of(refusal),
                false,
                new Outcome.Refused(refusal.reason(), refusal.detail()));
    }
}
