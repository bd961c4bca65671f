package io.podledger.projections;

import java.util.List;

/// What a command leads to.
///
/// @param events facts to apply and append, in this order
/// @param durable whether the outcome must wait until these facts, and all facts before them, are
///   durable. It can be so without any fact: who asks twice is answered no earlier than who asked
///   first.
/// @param outcome what is done then
public record Decision(List<Event> events, boolean durable, Outcome outcome) {
    public Decision {
        events = List.copyOf(events);
    }
}
