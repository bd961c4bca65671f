package io.podledger.projections;

import java.util.List;

/// What a command leads to.
///
/// @param events facts to apply and append, in this order
/// @param durable whether the outcome must wait until the facts are durable
/// @param outcome what is done then
public record Decision(List<Event> events, boolean durable, Outcome outcome) {}
