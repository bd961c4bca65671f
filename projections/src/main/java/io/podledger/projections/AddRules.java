package io.podledger.projections;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/// What an ADD gets.
record AddRules(LedgerView ledger, long now) {
    /// So many ranges are named in a message.
    private static final int RANGES_NAMED_MAX = 8;

    Decision decide(Command.Add add) {
        return ledger.holder(add.attachment())
                .map(holder -> again(add, holder))
                .orElseGet(() -> first(add));
    }

    /// An attachment that holds addresses keeps them, however often it is added.
    private Decision again(Command.Add add, Holder holder) {
        Lease lease = holder.lease();
        if (lease.mode() != add.mode()) {
            return refused(
                    add,
                    Refusal.MODE_CHANGED,
                    "the attachment was added in mode %s and is now asked for in mode %s: DEL it first"
                            .formatted(lease.mode(), add.mode()));
        }
        if (holder.state() == LeaseState.RELEASING) {
            return refused(add, Refusal.RELEASING, "the attachment is being taken down: try again");
        }
        if (lease.shared().lost()) {
            return refused(add, Refusal.NOT_OWNER, notOwner(ledger, lease));
        }
        if (lease.mode() == Mode.IPAM) {
            return new Decision(repeated(add), true, new Outcome.Granted(lease));
        }
        if (lease.namespace().equals(add.namespace())) {
            return new Decision(repeated(add), true, new Outcome.Wire(lease, holder.order()));
        }
        return elsewhere(add, lease);
    }

    private static List<Event> repeated(Command.Add add) {
        return List.of(new Event.AddRepeated(add.attachment()));
    }

    private Decision elsewhere(Command.Add add, Lease lease) {
        Lease moved =
                new Lease(
                        lease.attachment(),
                        lease.pod(),
                        lease.mode(),
                        lease.holdings(),
                        add.namespace(),
                        lease.hostDevice(),
                        lease.mtu(),
                        lease.shared());
        Event replaced =
                new Event.NamespaceReplaced(add.attachment(), add.namespace(), add.netnsPath());
        return new Decision(List.of(replaced), true, new Outcome.Wire(moved, ledger.nextNumber()));
    }

    private Decision first(Command.Add add) {
        OptionalLong fence = ledger.fencedUntil(add.attachment(), now);
        if (fence.isPresent()) {
            return refused(
                    add,
                    Refusal.FENCED,
                    "a DEL of this attachment came before its ADD: for %d s more it is not added"
                            .formatted(seconds(fence.getAsLong())));
        }
        for (String device : List.of(add.hostDevice(), add.sharedDevice())) {
            if (!device.isEmpty() && ledger.suspect(device).isPresent()) {
                return refused(
                        add,
                        Refusal.SUSPECTED,
                        "a device %s of unknown history is in the way: DEL the attachment first"
                                .formatted(device));
            }
        }
        if (ledger.attachments() >= Ledger.ATTACHMENTS_MAX) {
            return refused(
                    add,
                    Refusal.LEDGER_FULL,
                    "%d attachments hold addresses, and no more are kept: delete pods"
                            .formatted(ledger.attachments()));
        }
        return ledger.owner(add.sharedDevice())
                .map(owner -> takeOver(add, owner))
                .orElseGet(() -> reserve(add));
    }

    /// The pod's newer sandbox gets what the older one shared, with its addresses: the pod keeps
    /// them.
    private Decision takeOver(Command.Add add, Holder owner) {
        Attachment before = owner.lease().attachment();
        if (owner.state() == LeaseState.RELEASING) {
            return refused(
                    add,
                    Refusal.RELEASING,
                    "the pod's shared device %s is being taken down with container %s: try again"
                            .formatted(add.sharedDevice(), before.containerId()));
        }
        Event.AddressReserved share =
                fact(add, List.of(), new SharedThing(add.sharedDevice(), false));
        Lease lease =
                LeaseEntry.lease(
                        fact(
                                add,
                                owner.lease().holdings(),
                                new SharedThing(add.sharedDevice(), true)));
        return new Decision(
                List.of(
                        share,
                        new Event.OwnerChanged(add.sharedDevice(), add.attachment(), before)),
                true,
                new Outcome.Wire(lease, ledger.nextNumber()));
    }

    /// Why a sandbox whose pod has a newer one gets nothing more.
    static String notOwner(LedgerView ledger, Lease lease) {
        String owner =
                ledger.owner(lease.shared().device())
                        .map(holder -> holder.lease().attachment().containerId())
                        .orElse("a later one");
        return "the pod's shared device %s has passed to container %s, which was added after this one: DEL this one"
                .formatted(lease.shared().device(), owner);
    }

    /// One address of each family that the pool has, or none at all.
    private Decision reserve(Command.Add add) {
        List<Holding> holdings = new ArrayList<>(2);
        for (boolean v6 : new boolean[] {false, true}) {
            if (ledger.hasRanges(v6)) {
                Optional<Holding> next = ledger.next(v6, now);
                if (next.isEmpty()) {
                    return refused(add, Refusal.POOL_EMPTY, empty(v6));
                }
                holdings.add(next.get());
            }
        }
        return holdings.isEmpty()
                ? refused(add, Refusal.POOL_EMPTY, "the pool has no range: add one with --pool")
                : reserved(add, holdings);
    }

    private Decision reserved(Command.Add add, List<Holding> holdings) {
        boolean shares = !add.sharedDevice().isEmpty();
        Event.AddressReserved fact =
                fact(
                        add,
                        holdings,
                        shares ? new SharedThing(add.sharedDevice(), true) : SharedThing.NONE);
        Lease lease = LeaseEntry.lease(fact);
        Outcome outcome =
                switch (add.mode()) {
                    case ROUTED -> new Outcome.Wire(lease, ledger.nextNumber());
                    case IPAM -> new Outcome.Granted(lease);
                };
        return new Decision(List.of(fact), true, outcome);
    }

    private static Event.AddressReserved fact(
            Command.Add add, List<Holding> holdings, SharedThing shared) {
        return new Event.AddressReserved(
                add.attachment(),
                add.pod(),
                add.runtimeManaged(),
                add.mode(),
                holdings,
                add.namespace(),
                add.netnsPath(),
                add.hostDevice(),
                add.mtu(),
                shared);
    }

    private String empty(boolean v6) {
        PoolCounts counts = ledger.counts(v6, now);
        String next =
                ledger.nextFreeMillis(v6).stream()
                        .mapToObj(millis -> " (the next is free in " + seconds(millis) + " s)")
                        .findFirst()
                        .orElse("");
        return "no free IPv%d address in the pool %s: of %d, %d are in use, %d are cooling%s and %d are withheld; delete pods or add a range with --pool"
                .formatted(
                        v6 ? 6 : 4,
                        names(v6),
                        counts.total(),
                        counts.held(),
                        counts.cooling(),
                        next,
                        counts.suspect());
    }

    private String names(boolean v6) {
        List<String> names =
                ledger.ranges().stream()
                        .filter(range -> range.first().v6() == v6)
                        .map(Range::cidr)
                        .toList();
        int named = Math.min(names.size(), RANGES_NAMED_MAX);
        String more = names.size() > named ? " and " + (names.size() - named) + " more" : "";
        return String.join(", ", names.subList(0, named)) + more;
    }

    /// Seconds from now until then, rounded up.
    private long seconds(long thenMillis) {
        return (thenMillis - now + 999) / 1_000;
    }

    private Decision refused(Command.Add add, Refusal reason, String detail) {
        return Decider.refused(
                ledger,
                now,
                new Event.AddRefused(add.attachment(), add.pod(), reason, Texts.clip(detail)));
    }
}
