package io.podledger.ipamd.main;

import java.io.Serial;

/// The daemon cannot start. The message is for the operator: what, where, and the remedy.
final class StartException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    StartException(String message) {
        super(message);
    }
}
