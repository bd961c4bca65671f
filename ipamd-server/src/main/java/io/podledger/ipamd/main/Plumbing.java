package io.podledger.ipamd.main;

import io.podledger.ipamd.config.PoolSpec;
import io.podledger.ipamd.config.UpOptions;
import io.podledger.ipamd.wiring.RoutedWiring;
import io.podledger.ipamd.wiring.Wiring;
import io.podledger.projections.Range;
import java.util.ArrayList;
import java.util.List;

/// What the host must have before the first pod: routing tables of uplinks, and settings of the
/// kernel.
///
/// @param ranges the pools, each with its table
record Plumbing(Wiring wiring, List<Range> ranges) {
    static Plumbing prepare(UpOptions options, String journalId) {
        List<Range> ranges = new ArrayList<>();
        for (PoolSpec pool : options.pools) {
            ranges.add(
                    new Range(
                            pool.first(),
                            pool.prefixLength(),
                            pool.uplink(),
                            pool.table().orElse(0)));
        }
        return new Plumbing(new RoutedWiring(journalId, options.sysctlDir), List.copyOf(ranges));
    }
}
