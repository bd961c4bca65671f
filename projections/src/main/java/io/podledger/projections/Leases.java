package io.podledger.projections;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// The leases, and the ways to find them.
final class Leases {
    /// What only one sandbox of a pod can be at a time: the pod's interface in a network.
    private record Role(String namespace, String name, String network, String ifName) {
        // As in Attachment: what a record gets by itself is slower.

        @Override
        public boolean equals(Object other) {
            return other instanceof Role(String ns, String n, String net, String i)
                    && name.equals(n)
                    && namespace.equals(ns)
                    && network.equals(net)
                    && ifName.equals(i);
        }

        @Override
        public int hashCode() {
            return (name.hashCode() * 31 + namespace.hashCode()) * 31 + network.hashCode();
        }
    }

    private final LinkedHashMap<Attachment, LeaseEntry> all = new LinkedHashMap<>();

    /// The standing leases of each role, the newest last: one, where nothing has gone wrong.
    private final Map<Role, List<LeaseEntry>> standing = new HashMap<>();

    /// The owner of each shared thing, by the thing's device.
    private final Map<String, LeaseEntry> owners = new HashMap<>();

    /// Leases are put in the order of their reservation.
    void put(LeaseEntry lease) {
        all.put(lease.attachment(), lease);
        if (lease.lease().shared().owned()) {
            owners.put(lease.lease().shared().device(), lease);
        }
        if (lease.state() != LeaseState.RELEASING) {
            lease.lease()
                    .pod()
                    .map(pod -> role(pod, lease.attachment()))
                    .ifPresent(role -> standing.merge(role, List.of(lease), Leases::joined));
        }
    }

    void remove(LeaseEntry lease) {
        all.remove(lease.attachment());
        if (lease.lease().shared().owned()) {
            owners.remove(lease.lease().shared().device());
        }
        if (lease.state() != LeaseState.RELEASING) {
            fall(lease);
        }
    }

    Optional<LeaseEntry> owner(String sharedDevice) {
        return Optional.ofNullable(owners.get(sharedDevice));
    }

    /// Hands a shared thing and its addresses on.
    void handOn(LeaseEntry before, LeaseEntry owner) {
        owner.share(true, before.fact().holdings());
        before.share(false, List.of());
        owners.put(owner.lease().shared().device(), owner);
    }

    /// The lease does not speak for its pod any more.
    void fall(LeaseEntry lease) {
        lease.lease()
                .pod()
                .map(pod -> role(pod, lease.attachment()))
                .ifPresent(role -> fall(role, lease));
    }

    private void fall(Role role, LeaseEntry lease) {
        List<LeaseEntry> leases = standing.remove(role);
        if (leases != null && leases.size() > 1) {
            standing.put(role, leases.stream().filter(other -> other != lease).toList());
        }
    }

    private static List<LeaseEntry> joined(List<LeaseEntry> older, List<LeaseEntry> newer) {
        return Stream.concat(older.stream(), newer.stream()).toList();
    }

    Optional<LeaseEntry> get(Attachment attachment) {
        return Optional.ofNullable(all.get(attachment));
    }

    /// The pod's newest standing lease in the attachment's role.
    Optional<LeaseEntry> newest(Pod pod, Attachment attachment) {
        return Optional.ofNullable(standing.get(role(pod, attachment))).map(List::getLast);
    }

    /// In the order of reservation.
    Collection<LeaseEntry> values() {
        return all.values();
    }

    int size() {
        return all.size();
    }

    private static Role role(Pod pod, Attachment attachment) {
        return new Role(pod.namespace(), pod.name(), attachment.network(), attachment.ifName());
    }
}
