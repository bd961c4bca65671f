package io.podledger.ipamd.cri;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/// The runtime did not answer, or not with an answer.
final class RuntimeAwayException extends Exception {
    private static final long serialVersionUID = 1;

    private static final int CAUSES_MAX = 8;

    RuntimeAwayException(StatusRuntimeException e) {
        super(said(e.getStatus()), e);
    }

    /// The status in one line, with what a connection failed for in the end.
    static String said(Status status) {
        String description = status.getDescription();
        Throwable cause = status.getCause();
        for (int i = 0; i < CAUSES_MAX && cause != null && cause.getCause() != null; i++) {
            cause = cause.getCause();
        }
        return status.getCode()
                + (description == null ? "" : ": " + description)
                + (cause == null ? "" : ": " + cause);
    }
}
