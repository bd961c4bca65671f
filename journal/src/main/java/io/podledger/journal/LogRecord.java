package io.podledger.journal;

/// One record as it stands in the log.
///
/// @param sequence position in the log: each is higher than the one before, and the numbers left
///   out are the journal's own records
/// @param ledgerMillis the writer's own time in ms: never goes back, not even over a reboot
/// @param wallMillis ms since 1970 by the wall clock, for people only
/// @param type what the payload is; 0x7F00 to 0x7FFF belong to the journal itself, bit 15 set means
///   that a reader who does not know the type may pass over it
/// @param payload the bytes that were appended; not to be changed
public record LogRecord(
        long sequence, long ledgerMillis, long wallMillis, int type, byte[] payload) {}
