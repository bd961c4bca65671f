package io.podledger.replay;

import io.podledger.projections.IpAddress;
import io.podledger.projections.Pod;
import java.util.Optional;
import java.util.Set;

/// Which records to show. An empty part lets everything pass.
///
/// @param pod by namespace and name; its UID is not looked at
/// @param container how a container ID begins
/// @param types simple names of facts
/// @param since wall time in ms, inclusive
/// @param until wall time in ms, inclusive
record Filter(
        Optional<Pod> pod,
        String container,
        Optional<IpAddress> address,
        Set<String> types,
        long since,
        long until,
        long fromSequence,
        long toSequence) {

    boolean passes(Entry entry, Subject subject) {
        return inTime(entry) && ofType(entry) && about(subject);
    }

    /// Nothing later in the journal can pass.
    boolean isPast(Entry entry) {
        return entry.sequence() > toSequence;
    }

    private boolean inTime(Entry entry) {
        return entry.sequence() >= fromSequence
                && entry.sequence() <= toSequence
                && entry.wallMillis() >= since
                && entry.wallMillis() <= until;
    }

    private boolean ofType(Entry entry) {
        return types.isEmpty() || types.contains(entry.type());
    }

    private boolean about(Subject subject) {
        return pod.map(p -> subject.pod().filter(s -> same(p, s)).isPresent()).orElse(true)
                && (container.isEmpty()
                        || subject.attachment()
                                .filter(a -> a.containerId().startsWith(container))
                                .isPresent())
                && address.map(subject.addresses()::contains).orElse(true);
    }

    static boolean same(Pod a, Pod b) {
        return a.namespace().equals(b.namespace()) && a.name().equals(b.name());
    }
}
