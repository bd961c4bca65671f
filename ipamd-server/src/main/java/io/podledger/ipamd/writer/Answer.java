package io.podledger.ipamd.writer;

import io.podledger.projections.Attachment;
import io.podledger.projections.DelVerdict;
import io.podledger.projections.Lease;
import io.podledger.projections.Refusal;
import java.util.List;

/// What a caller is told. Everything it says is durable.
public sealed interface Answer {
    record Granted(Lease lease) implements Answer {}

    record Refused(Refusal reason, String message) implements Answer {}

    /// The addresses were there and the wiring was not to be had.
    record Failed(String reason) implements Answer {}

    record Deleted(DelVerdict verdict) implements Answer {}

    /// The runtime is to be asked for the sandboxes of these.
    record Recheck(List<Attachment> missed) implements Answer {}

    /// The daemon takes no more calls now.
    record Unavailable(String why) implements Answer {}
}
