package io.podledger.projections;

import java.util.List;

/// What is to be done, or said, once the decision's events are durable.
public sealed interface Outcome {
    /// Make the attachment's devices, routes and rules, or verify and repair them if they are
    /// there.
    record Wire(Lease lease, long order) implements Outcome {}

    /// Remove them.
    record Unwire(Lease lease, long order) implements Outcome {}

    /// Remove a suspect's device and whatever is routed to it.
    record UnwireSuspect(String hostDevice, List<IpAddress> addresses) implements Outcome {}

    /// The attachment has its addresses and needs no wiring, or has been wired.
    record Granted(Lease lease) implements Outcome {}

    /// An ADD, or a start, gets nothing. `message` is for people and names bounds and remedy.
    record Refused(Refusal reason, String message) implements Outcome {}

    /// A DEL has nothing to wait for, or what it waited for is done.
    record Deleted(DelVerdict verdict) implements Outcome {}

    /// Wiring failed: the ADD that waits is told, and [Unwire] follows.
    record Failed(Lease lease, String reason, long order) implements Outcome {}

    /// The runtime is to be asked for these sandboxes, which its lists have lacked for long enough.
    record Recheck(List<Attachment> missed) implements Outcome {}

    /// Nothing to do: the command was late, repeated or moot.
    record Nothing(String why) implements Outcome {}
}
