package io.podledger.ipamd.cri;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/// The runtime did not answer, or not with an answer.
final class RuntimeAwayException extends Exception {
    private static final long serialVersionUID = 1;

    private final Status.Code code;

    RuntimeAwayException(StatusRuntimeException e) {
        super(said(e.getStatus()), e);
        code = e.getStatus().getCode();
    }

    Status.Code code() {
        return code;
    }

    /// The status in one line, with the cause that a connection failed for.
    static String said(Status status) {
        Throwable cause = status.getCause();
        String description = status.getDescription();
        return status.getCode()
                + (description == null ? "" : ": " + description)
                + (cause == null ? "" : ": " + cause.getMessage());
    }
}
