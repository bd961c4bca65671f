package io.podledger.projections;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The addresses of both families.
final class Pool {
    private final FamilyPool v4;
    private final FamilyPool v6;

    Pool(StateHash hash) {
        v4 = new FamilyPool(hash);
        v6 = new FamilyPool(hash);
    }

    FamilyPool of(IpAddress address) {
        return family(address.v6());
    }

    FamilyPool family(boolean isV6) {
        return isV6 ? v6 : v4;
    }

    /// Active ranges in the order in which they were added.
    List<Block> blocks() {
        return Stream.concat(v4.blocks().stream(), v6.blocks().stream())
                .sorted(Comparator.comparingLong(Block::number))
                .toList();
    }

    void take(LeaseEntry lease) {
        for (Holding holding : lease.fact().holdings()) {
            of(holding.address()).take(holding.address(), lease);
        }
        count(lease, 1);
    }

    /// Counts the lease's addresses in its present state, or takes them out of the count.
    void count(LeaseEntry lease, int more) {
        for (Holding holding : lease.fact().holdings()) {
            of(holding.address()).count(lease.state(), more);
        }
    }

    void ripen(long millis) {
        v4.ripen(millis);
        v6.ripen(millis);
    }

    void forget(long millis) {
        v4.forget(millis);
        v6.forget(millis);
    }
}
