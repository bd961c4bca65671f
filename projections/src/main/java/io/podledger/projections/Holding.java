package io.podledger.projections;

/// One address in an attachment's hands.
///
/// @param uplink host interface by which the address leaves, empty for the main table's choice
/// @param table routing table of that interface, 0 where there is none
public record Holding(IpAddress address, String uplink, int table) {}
