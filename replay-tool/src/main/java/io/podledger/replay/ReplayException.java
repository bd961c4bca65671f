package io.podledger.replay;

import java.io.Serial;

/// The question cannot be answered from this journal. The message is one line for a person.
final class ReplayException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1;

    ReplayException(String message) {
        super(message);
    }
}
