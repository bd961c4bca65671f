package io.podledger.projections;

import java.util.List;
import java.util.Optional;

/// A lease as the ledger keeps it.
final class LeaseEntry implements Use {
    private final long number;
    private Event.AddressReserved fact;
    private Lease lease;
    private long factHash;
    private long addedMillis;
    private LeaseState state;
    private long order;
    private ReleaseCause cause = ReleaseCause.DEL;
    private Optional<Missed> missed = Optional.empty();

    /// @param number the reservation's place in the order of reservations
    LeaseEntry(Event.AddressReserved fact, long number, long addedMillis) {
        this.number = number;
        this.fact = fact;
        this.lease = lease(fact);
        this.factHash = hash(fact);
        this.addedMillis = addedMillis;
        this.state = fact.mode() == Mode.IPAM ? LeaseState.WIRED : LeaseState.RESERVED;
        this.order = number;
    }

    /// The lease as a snapshot has it.
    LeaseEntry(Event.AddressReserved fact, long number, Holder holder) {
        this(fact, number, holder.addedMillis());
        become(holder.state(), holder.order(), holder.cause());
        missed = holder.missed();
    }

    static Lease lease(Event.AddressReserved fact) {
        return new Lease(
                fact.attachment(),
                fact.pod(),
                fact.mode(),
                fact.holdings(),
                fact.namespace(),
                fact.hostDevice(),
                fact.mtu(),
                fact.shared());
    }

    /// The fact with another namespace.
    static Event.AddressReserved moved(
            Event.AddressReserved fact, NamespaceIdentity namespace, String netnsPath) {
        return new Event.AddressReserved(
                fact.attachment(),
                fact.pod(),
                fact.runtimeManaged(),
                fact.mode(),
                fact.holdings(),
                namespace,
                netnsPath,
                fact.hostDevice(),
                fact.mtu(),
                fact.shared());
    }

    /// Takes the pod's shared thing over, or gives it away with its addresses.
    void share(boolean owned, List<Holding> holdings) {
        fact =
                new Event.AddressReserved(
                        fact.attachment(),
                        fact.pod(),
                        fact.runtimeManaged(),
                        fact.mode(),
                        holdings,
                        fact.namespace(),
                        fact.netnsPath(),
                        fact.hostDevice(),
                        fact.mtu(),
                        new SharedThing(fact.shared().device(), owned));
        lease = lease(fact);
        factHash = hash(fact);
    }

    void miss(Optional<Missed> since) {
        missed = since;
    }

    void addedAgain(long millis) {
        addedMillis = millis;
        missed = Optional.empty();
    }

    void become(LeaseState newState, long newOrder, ReleaseCause newCause) {
        state = newState;
        order = newOrder;
        cause = newCause;
    }

    void move(Event.NamespaceReplaced replaced, long newOrder, long millis) {
        fact = moved(fact, replaced.namespace(), replaced.netnsPath());
        lease = lease(fact);
        factHash = hash(fact);
        addedAgain(millis);
        become(LeaseState.RESERVED, newOrder, ReleaseCause.DEL);
    }

    Attachment attachment() {
        return fact.attachment();
    }

    Event.AddressReserved fact() {
        return fact;
    }

    Lease lease() {
        return lease;
    }

    LeaseState state() {
        return state;
    }

    long number() {
        return number;
    }

    long order() {
        return order;
    }

    Holder holder() {
        return new Holder(
                lease,
                state,
                order,
                addedMillis,
                fact.runtimeManaged(),
                fact.netnsPath(),
                cause,
                missed);
    }

    @Override
    public long hash() {
        long place = StateHash.with(StateHash.with(factHash, number), addedMillis);
        long how =
                StateHash.with(StateHash.with(place, WireEnums.progress(state).getNumber()), order);
        long why = StateHash.with(how, WireEnums.cause(cause).getNumber());
        return missed.map(m -> StateHash.with(StateHash.with(why, m.millis()), m.list()))
                .orElse(why);
    }

    private static long hash(Event.AddressReserved fact) {
        long hash = StateHash.with(StateHash.LEASE, fact.attachment());
        if (fact.pod().isPresent()) {
            Pod pod = fact.pod().get();
            hash = StateHash.with(StateHash.with(hash, pod.namespace()), pod.name());
            hash = StateHash.with(hash, pod.uid());
        }
        for (Holding holding : fact.holdings()) {
            hash = StateHash.with(StateHash.with(hash, holding.address()), holding.table());
            hash = StateHash.with(hash, holding.uplink());
        }
        NamespaceIdentity namespace = fact.namespace();
        hash = StateHash.with(StateHash.with(hash, namespace.device()), namespace.inode());
        hash = StateHash.with(StateHash.with(hash, namespace.bootId()), fact.netnsPath());
        hash = StateHash.with(StateHash.with(hash, fact.hostDevice()), fact.mtu());
        hash = StateHash.with(hash, fact.runtimeManaged() ? 1 : 0);
        if (fact.shared().exists()) {
            hash = StateHash.with(hash, fact.shared().device());
            hash = StateHash.with(hash, fact.shared().owned() ? 1 : 0);
        }
        return StateHash.with(hash, WireEnums.mode(fact.mode()).getNumber());
    }
}
