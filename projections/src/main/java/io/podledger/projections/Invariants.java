package io.podledger.projections;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// What must hold in every ledger, checked by looking at everything: for tests, for tools, and for
/// the daemon once in a while.
public final class Invariants {
    private final Ledger ledger;
    private final long now;
    private final List<String> violations = new ArrayList<>();
    private final Map<IpAddress, String> holders = new HashMap<>();

    private Invariants(Ledger ledger, long now) {
        this.ledger = ledger;
        this.now = now;
    }

    /// @param now ledger time in ms, not before the newest fact
    /// @return what does not hold, for people; empty where all is well
    public static List<String> violations(Ledger ledger, long now) {
        Invariants invariants = new Invariants(ledger, now);
        invariants.oneHolder();
        invariants.everyUseHasItsHolder();
        invariants.family(false);
        invariants.family(true);
        invariants.bounds();
        invariants.owners();
        invariants.require(ledger.hash() == ledger.foldedHash(), "the hash is not of the entries");
        return invariants.violations;
    }

    private void oneHolder() {
        for (LeaseEntry lease : ledger.leases.values()) {
            sharing(lease.lease());
            for (Holding holding : lease.fact().holdings()) {
                hold(holding.address(), lease.attachment().key(), lease);
            }
        }
        for (Suspect suspect : ledger.suspects.values()) {
            for (IpAddress address : suspect.addresses()) {
                hold(address, suspect.hostDevice(), suspect);
            }
        }
    }

    /// A shared thing has at most one owner, and its addresses are the owner's.
    private void sharing(Lease lease) {
        Optional<Attachment> owner =
                ledger.owner(lease.shared().device()).map(holder -> holder.lease().attachment());
        require(
                owner.equals(Optional.of(lease.attachment())) == lease.shared().owned(),
                "%s and %s own %s".formatted(lease.attachment(), owner, lease.shared().device()));
        require(
                lease.holdings().isEmpty() == lease.shared().lost(),
                lease.attachment() + " holds what it does not own, or nothing");
    }

    private void hold(IpAddress address, String who, Use use) {
        String other = holders.put(address, who);
        require(other == null, "%s is held by %s and %s".formatted(address, other, who));
        boolean known = ledger.pool.of(address).use(address).filter(use::equals).isPresent();
        require(known, "the pool does not know that %s holds %s".formatted(who, address));
    }

    private void everyUseHasItsHolder() {
        for (boolean v6 : new boolean[] {false, true}) {
            for (Map.Entry<IpAddress, Use> entry : ledger.pool.family(v6).uses()) {
                boolean rests = entry.getValue() instanceof Resting;
                require(
                        rests != holders.containsKey(entry.getKey()),
                        entry.getKey() + " is kept for nobody");
            }
        }
    }

    private void family(boolean v6) {
        FamilyPool family = ledger.pool.family(v6);
        PoolCounts actual = family.counts(now);
        PoolCounts counted = counted(family);
        require(actual.equals(counted), actual + " is counted, and there are " + counted);
        long sum = (long) counted.free() + counted.held() + counted.cooling() + counted.suspect();
        require(sum == counted.total(), counted + " does not add up");
        boolean some = family.next(now).isPresent();
        require(some == counted.free() > 0, "next is wrong with " + counted.free() + " free");
        family.next(now).ifPresent(next -> free(family, next.address()));
    }

    private void free(FamilyPool family, IpAddress address) {
        boolean rests =
                family.use(address)
                        .map(use -> use instanceof Resting r && r.freeMillis() <= now)
                        .orElse(true);
        require(rests && family.block(address).isPresent(), address + " is next and not free");
    }

    private PoolCounts counted(FamilyPool family) {
        int total = family.blocks().stream().mapToInt(block -> block.range().size()).sum();
        int used = 0;
        int cooling = 0;
        int suspect = 0;
        Map<LeaseState, Integer> held = new EnumMap<>(LeaseState.class);
        for (Map.Entry<IpAddress, Use> entry : family.uses()) {
            boolean counts = true;
            switch (entry.getValue()) {
                case LeaseEntry lease -> held.merge(lease.state(), 1, Integer::sum);
                case Suspect _ -> suspect++;
                case Resting resting -> {
                    counts = resting.freeMillis() > now;
                    cooling += counts ? 1 : 0;
                }
            }
            boolean orphan = family.block(entry.getKey()).isEmpty();
            total += counts && orphan ? 1 : 0;
            used += counts ? 1 : 0;
        }
        return new PoolCounts(
                total,
                total - used,
                held.getOrDefault(LeaseState.RESERVED, 0),
                held.getOrDefault(LeaseState.WIRED, 0),
                held.getOrDefault(LeaseState.RELEASING, 0),
                cooling,
                suspect);
    }

    private void bounds() {
        require(ledger.leases.size() <= Ledger.ATTACHMENTS_MAX, "too many attachments");
        require(ledger.graves.values().size() <= Ledger.TOMBSTONES_MAX, "too many tombstones");
        require(ledger.fences.size() <= Ledger.FENCES_MAX, "too many fences");
        require(ledger.notes.size() <= Ledger.NOTES_MAX, "too many notes");
        require(ledger.sandboxes.size() <= Ledger.SANDBOXES_MAX, "too many sandboxes");
        for (Tombstone tombstone : ledger.graves.values()) {
            require(
                    ledger.leases.get(tombstone.attachment()).isEmpty(),
                    tombstone.attachment() + " is released and holds addresses");
        }
        Range.fault(ledger.ranges()).ifPresent(violations::add);
    }

    /// The pod's owner is its newest lease that is not on its way out.
    private void owners() {
        Map<List<String>, Attachment> newest = new HashMap<>();
        for (LeaseEntry lease : ledger.leases.values()) {
            if (lease.state() != LeaseState.RELEASING && lease.lease().pod().isPresent()) {
                newest.put(role(lease), lease.attachment());
            }
        }
        for (LeaseEntry lease : ledger.leases.values()) {
            if (lease.lease().pod().isPresent()) {
                Attachment expected = newest.get(role(lease));
                Attachment actual =
                        ledger.leases
                                .newest(lease.lease().pod().get(), lease.attachment())
                                .map(LeaseEntry::attachment)
                                .orElse(null);
                require(
                        Objects.equals(expected, actual),
                        "%s owns the pod, and not %s".formatted(expected, actual));
            }
        }
    }

    private static List<String> role(LeaseEntry lease) {
        Pod pod = lease.lease().pod().orElseThrow();
        Attachment attachment = lease.attachment();
        return List.of(pod.namespace(), pod.name(), attachment.network(), attachment.ifName());
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            violations.add(otherwise);
        }
    }
}
