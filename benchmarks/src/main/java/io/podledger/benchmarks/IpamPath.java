package io.podledger.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Addresses alone, mode `ipam`, asked for on the daemon's socket.
final class IpamPath {
    private static final String POOL = "10.64.0.0/16";
    private static final int WARM_TURNS = 10_000;
    private static final int TURNS = 1_000;
    private static final int ROUNDS = 5;

    /// Until the second compiler has nothing left to do.
    private static final int WARM_ROUNDS = 3;

    private static final int CALLERS = 64;
    private static final int SECONDS = 3;
    private static final int FEW = 10;
    private static final int MANY = 5_000;

    private final Lab lab;
    private final Table table;

    IpamPath(Lab lab, Table table) {
        this.lab = lab;
        this.table = table;
    }

    void run() throws IOException, InterruptedException {
        try (DaemonProcess few = daemon("few");
                DaemonProcess many = daemon("many")) {
            lab.run(lab.driver("callers"), "fill", FEW, few.socket());
            lab.run(lab.driver("callers"), "fill", lab.turns(MANY), many.socket());
            turns(lab.turns(WARM_TURNS), 1, few, many);
            oneCaller(turns(0, lab.turns(TURNS), few));
            growth(few, many);
            manyCallers(few);
        }
    }

    private DaemonProcess daemon(String name) throws IOException, InterruptedException {
        return lab.daemon(name, "--mode", "ipam", "--pool", POOL, "--cooldown", "1s");
    }

    private Samples turns(int warm, int count, DaemonProcess... daemons)
            throws IOException, InterruptedException {
        List<Object> command = new ArrayList<>();
        command.addAll(List.of(lab.driver("callers"), "one", warm, count));
        command.addAll(List.of(lab.disk().resolve("floor"), lab.run().resolve("echo")));
        for (DaemonProcess daemon : daemons) {
            command.add(daemon.socket());
        }
        return Samples.parse(lab.run(command.toArray()));
    }

    private void oneCaller(Samples samples) {
        double floors = samples.quantile(0.5, "echo", "sync");
        double add = samples.quantile(0.5, "add.0");
        table.bounded(
                "ADD, one caller, p50",
                Table.micros(add),
                Table.micros(floors) + " echo + fdatasync",
                add / floors,
                Table.Bound.AT_MOST,
                2);
        table.shown(
                "DEL, one caller, p50",
                Table.micros(samples.quantile(0.5, "del.0")),
                Table.micros(samples.quantile(0.5, "echo"))
                        + " echo, "
                        + Table.micros(samples.quantile(0.5, "sync"))
                        + " fdatasync",
                Table.number(samples.quantile(0.5, "del.0") / floors));
    }

    /// Both daemons are asked in every turn, so that a quiet or a busy moment is for both.
    private void growth(DaemonProcess few, DaemonProcess many)
            throws IOException, InterruptedException {
        List<Double> ratios = new ArrayList<>();
        List<Double> fews = new ArrayList<>();
        List<Double> manys = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            Samples samples = turns(0, lab.turns(TURNS), few, many);
            fews.add(samples.quantile(0.5, "add.0"));
            manys.add(samples.quantile(0.5, "add.1"));
            ratios.add(manys.getLast() / fews.getLast());
        }
        table.bounded(
                "ADD with %,d addresses in use, p50, median of %d".formatted(MANY, ROUNDS),
                Table.micros(Stats.median(manys)),
                Table.micros(Stats.median(fews)) + " with " + FEW,
                Stats.median(ratios),
                Table.Bound.AT_MOST,
                1.2);
    }

    /// Besides the journal alone, what the machine can do at all: each answer takes an echo and a
    /// commit, and with every processor at work the two follow one another.
    private void manyCallers(DaemonProcess daemon) throws IOException, InterruptedException {
        List<Double> bare = new ArrayList<>();
        List<Double> echoes = new ArrayList<>();
        List<Double> answered = new ArrayList<>();
        for (int i = 0; i < WARM_ROUNDS + ROUNDS; i++) {
            bare.add(GroupCommit.perSecond(lab.disk().resolve("bare"), CALLERS, seconds()));
            echoes.add(perSecond("echoes", lab.run().resolve("echo").toString()));
            answered.add(perSecond("many", daemon.socket()));
        }
        double commits = warm(bare);
        double answers = warm(answered);
        double floor = 1 / (1 / commits + 1 / warm(echoes));
        table.bounded(
                "%d callers, answers a second, median of %d".formatted(CALLERS, ROUNDS),
                Table.number(answers),
                Table.number(commits) + " bare group commits",
                answers / commits,
                Table.Bound.AT_LEAST,
                0.5);
        table.shown(
                "the same, beside all it is made of",
                Table.number(answers),
                Table.number(floor)
                        + " commits with "
                        + Table.number(warm(echoes))
                        + " echoes a second",
                Table.number(answers / floor));
    }

    private static double warm(List<Double> rounds) {
        return Stats.median(rounds.subList(WARM_ROUNDS, rounds.size()));
    }

    private double perSecond(String kind, String socket) throws IOException, InterruptedException {
        return Samples.parse(lab.run(lab.driver("callers"), kind, CALLERS, seconds(), socket))
                .mean("answers-per-second");
    }

    private int seconds() {
        return lab.turns(SECONDS);
    }
}
