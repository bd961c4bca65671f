package io.podledger.ipamd.main;

import io.podledger.ipamd.config.PoolSpec;
import io.podledger.ipamd.config.UpOptions;
import io.podledger.ipamd.netlink.Netlink;
import io.podledger.ipamd.netlink.NetlinkException;
import io.podledger.ipamd.wiring.HostSysctls;
import io.podledger.ipamd.wiring.UplinkTables;
import io.podledger.ipamd.wiring.WiringException;
import io.podledger.projections.Mode;
import io.podledger.projections.Range;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What the host must have before the first pod: routing tables of uplinks, and settings of the
/// kernel.
final class Plumbing {
    private static final Logger LOG = LoggerFactory.getLogger(Plumbing.class);

    private Plumbing() {}

    /// @return the pools as ranges, each with its uplink's table
    static List<Range> prepare(UpOptions options) throws StartException {
        if (options.mode == Mode.IPAM) {
            return options.pools.stream().map(pool -> range(pool, 0)).toList();
        }
        try (Netlink host = Netlink.here()) {
            UplinkTables tables = new UplinkTables(host);
            List<Range> ranges = new ArrayList<>();
            for (PoolSpec pool : options.pools) {
                ranges.add(range(pool, pool.uplink().isEmpty() ? 0 : table(tables, pool)));
            }
            sysctls(options, tables);
            return List.copyOf(ranges);
        } catch (NetlinkException | WiringException e) {
            throw new StartException("the host's network cannot be read: " + e.getMessage());
        }
    }

    private static Range range(PoolSpec pool, int table) {
        return new Range(pool.first(), pool.prefixLength(), pool.uplink(), table);
    }

    private static int table(UplinkTables tables, PoolSpec pool) throws StartException {
        try {
            return tables.ensure(pool.uplink(), pool.table(), pool.gateway(), pool.first().v6());
        } catch (WiringException e) {
            throw new StartException("--pool " + pool + ": " + e.getMessage());
        }
    }

    private static void sysctls(UpOptions options, UplinkTables tables) throws WiringException {
        boolean v4 = options.pools.stream().anyMatch(pool -> !pool.first().v6());
        boolean v6 = options.pools.stream().anyMatch(pool -> pool.first().v6());
        List<String> uplinks =
                options.pools.stream()
                        .map(PoolSpec::uplink)
                        .filter(uplink -> !uplink.isEmpty())
                        .distinct()
                        .toList();
        new HostSysctls(options.sysctlDir)
                .ensure(v4, v6, uplinks, tables.advertised())
                .forEach(problem -> LOG.warn("{}", problem));
    }
}
