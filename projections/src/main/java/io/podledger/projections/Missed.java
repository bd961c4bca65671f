package io.podledger.projections;

/// That a list of the runtime's sandboxes lacked an attachment's, and every later one too.
///
/// @param millis ledger time of the first such list
/// @param list its number
public record Missed(long millis, long list) {}
