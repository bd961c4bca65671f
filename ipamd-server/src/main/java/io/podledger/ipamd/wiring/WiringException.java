package io.podledger.ipamd.wiring;

import java.io.Serial;

/// The kernel refused, or shows something else than the ledger says. The message is for people.
public final class WiringException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    public WiringException(String message) {
        super(message);
    }
}
