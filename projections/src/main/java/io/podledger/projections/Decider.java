package io.podledger.projections;

import java.util.List;

/// Turns commands into facts. Pure: time is an argument, and nothing here changes the ledger.
///
/// @param cooldownMillis how long a released address rests, in ms of ledger time
public record Decider(long cooldownMillis) {
    /// @param now ledger time in ms
    public Decision decide(LedgerView ledger, Command command, long now) {
        return new Decision(List.of(), false, new Outcome.Nothing("nothing is decided yet"));
    }
}
