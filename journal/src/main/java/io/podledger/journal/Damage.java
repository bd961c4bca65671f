package io.podledger.journal;

import java.nio.file.Path;

/// A place where the log is not what was written.
///
/// @param file the segment
/// @param offset bytes from its start
/// @param sequence the first record that is missing or damaged
/// @param what what is wrong there, and what to do
public record Damage(Path file, long offset, long sequence, String what) {
    @Override
    public String toString() {
        return file + " at byte " + offset + ", sequence " + sequence + ": " + what;
    }
}
