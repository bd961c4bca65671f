package io.podledger.ipamd.writer;

import io.podledger.projections.Command;
import io.podledger.projections.LedgerView;
import java.util.Optional;
import java.util.function.Consumer;

/// What the writer thread is given to do.
sealed interface Job {
    record Call(Command command, Caller caller) implements Job {}

    /// @param failure why the kernel's part did not work, empty where it did
    record Completed(Order order, Optional<String> failure) implements Job {}

    /// Looks at the ledger once everything before is durable. Keeps no reference to it.
    record Read(Consumer<LedgerView> reader) implements Job {}

    /// Decisions of the writer's own that depend on which orders are under way. Made when every
    /// order that was decided on before has begun.
    record Review(Runnable decisions) implements Job {}
}
