package io.podledger.journal;

import java.io.Serial;

/// The journal cannot be used, or cannot be used any more. The message names file, offset and
/// sequence where there are any, and what to do.
public final class JournalException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    public JournalException(String message) {
        super(message);
    }

    public JournalException(String message, Throwable cause) {
        super(message, cause);
    }
}
