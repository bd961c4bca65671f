package io.podledger.projections;

import java.util.Optional;

/// That something was written down which need not be written down again within a minute.
///
/// @param about what and whose
/// @param millis ledger time of the fact
record Note(String about, long millis) implements Hashed {
    /// A pod that cannot start is tried again and again, each time in a new sandbox with a new ID.
    /// So a refusal is about the pod where one is known.
    static String refusal(Attachment attachment, Optional<Pod> pod, Refusal reason) {
        String whose =
                pod.map(p -> "pod " + p.namespace() + "/" + p.name() + " in " + role(attachment))
                        .orElseGet(attachment::key);
        return reason + " " + whose;
    }

    /// A DEL of an attachment that holds nothing any more or is on its way out.
    static String del(Attachment attachment) {
        return "DEL " + attachment.key();
    }

    private static String role(Attachment attachment) {
        return attachment.network() + "/" + attachment.ifName();
    }

    @Override
    public long hash() {
        return StateHash.with(StateHash.with(StateHash.NOTE, about), millis);
    }
}
