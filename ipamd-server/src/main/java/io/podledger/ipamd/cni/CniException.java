package io.podledger.ipamd.cni;

import java.io.Serial;

/// A call that cannot be understood. Carries what the runtime is told.
final class CniException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    private final transient CniError error;

    CniException(CniError error) {
        super(error.message(), null, false, false);
        this.error = error;
    }

    CniError error() {
        return error;
    }
}
