package io.podledger.benchmarks;

import java.io.IOException;
import java.util.Locale;

/// Whole pods in mode `routed`: the plugin started as a runtime starts it, the daemon, the kernel.
final class WholePath {
    private static final int WARM_TURNS = 2_000;
    private static final int TURNS = 500;

    /// About as many pods as a large node has.
    private static final int ATTACHMENTS = 250;

    private static final double RESIDENT_MEBIBYTES_MAX = 2;
    private static final double ANONYMOUS_MEBIBYTES_MAX = 128;

    private final Lab lab;
    private final Table table;

    WholePath(Lab lab, Table table) {
        this.lab = lab;
        this.table = table;
    }

    void run() throws IOException, InterruptedException {
        try (DaemonProcess daemon = lab.daemon("whole", "--pool", "10.64.0.0/16")) {
            Samples cold = turns(daemon, "cold", 0, 1 + lab.turns(50), 0);
            turns(daemon, "warm", lab.turns(WARM_TURNS), 1, 0);
            Samples warm = turns(daemon, "turn", 0, lab.turns(TURNS), ATTACHMENTS);
            call("ADD, the daemon's first 50", cold, "add", 0.5);
            whole(warm);
            plugin(warm);
            memory(daemon);
        }
    }

    private Samples turns(DaemonProcess daemon, String kind, int warm, int count, int kept)
            throws IOException, InterruptedException {
        return Samples.parse(
                lab.run(
                        lab.driver("whole"),
                        kind,
                        warm,
                        count,
                        kept,
                        lab.root().resolve("cni-shim/target/podledger"),
                        lab.driver("empty"),
                        daemon.socket(),
                        daemon.spool(),
                        lab.disk().resolve("floor")));
    }

    private void whole(Samples samples) {
        for (String verb : new String[] {"add", "del"}) {
            String name = verb.toUpperCase(Locale.ROOT);
            call(name, samples, verb, 0.5);
            call(name, samples, verb, 0.99);
        }
        table.shown(
                "its floors, p50",
                "empty program " + Table.micros(samples.quantile(0.5, "empty")),
                "fdatasync "
                        + Table.micros(samples.quantile(0.5, "sync"))
                        + ", netlink ADD "
                        + Table.micros(samples.quantile(0.5, "netlink.add"))
                        + ", netlink DEL "
                        + Table.micros(samples.quantile(0.5, "netlink.del")),
                "");
    }

    private void call(String name, Samples samples, String verb, double share) {
        double whole = samples.quantile(share, verb);
        double floors = samples.quantile(share, "empty", "sync", "netlink." + verb);
        String what = name + ", whole, p" + (int) (share * 100);
        String beside = Table.micros(floors) + " sum of its floors";
        double ratio = whole / floors;
        if (share == 0.5 && name.equals("ADD")) {
            table.bounded(what, Table.micros(whole), beside, ratio, Table.Bound.AT_MOST, 2);
        } else {
            table.shown(what, Table.micros(whole), beside, Table.number(ratio));
        }
    }

    private void plugin(Samples samples) {
        double plugin = samples.mean("cpu.add");
        double empty = samples.mean("cpu.empty");
        table.bounded(
                "plugin process, user + system CPU, mean",
                Table.micros(plugin),
                Table.micros(empty) + " empty program",
                plugin / empty,
                Table.Bound.AT_MOST,
                2);
        table.bounded(
                "plugin process, largest resident size, MiB",
                samples.max("max-rss.add") + " KiB",
                samples.max("max-rss.empty") + " KiB empty program",
                samples.max("max-rss.add") / 1024.0,
                Table.Bound.AT_MOST,
                RESIDENT_MEBIBYTES_MAX);
    }

    private void memory(DaemonProcess daemon) throws IOException {
        table.bounded(
                "daemon with " + ATTACHMENTS + " attachments, RssAnon, MiB",
                "VmRSS " + Table.number(daemon.mebibytes("VmRSS")),
                "`" + daemon.flags() + "`",
                daemon.mebibytes("RssAnon"),
                Table.Bound.AT_MOST,
                ANONYMOUS_MEBIBYTES_MAX);
    }
}
