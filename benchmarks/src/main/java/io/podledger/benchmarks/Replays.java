package io.podledger.benchmarks;

import io.podledger.journal.Damage;
import io.podledger.journal.JournalReader;
import io.podledger.journal.LogRecord;
import io.podledger.projections.EventCodec;
import io.podledger.projections.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Reading a long journal: as fast as a warm tool reads, and as a daemon that starts.
final class Replays {
    private static final int EVENTS = 1_000_000;
    private static final int ROUNDS = 5;
    private static final int SEGMENT_BYTES = 16 << 20;

    /// Holds all of the events behind one snapshot, which is of an empty ledger.
    private static final int LARGE_SEGMENT_BYTES = 512 << 20;

    private final Lab lab;
    private final Table table;

    Replays(Lab lab, Table table) {
        this.lab = lab;
        this.table = table;
    }

    void run() throws IOException, InterruptedException {
        Path snapshots = lab.disk().resolve("snapshots");
        Path plain = lab.disk().resolve("plain");
        int events = History.write(snapshots.resolve("journal"), SEGMENT_BYTES, lab.turns(EVENTS));
        History.write(plain.resolve("journal"), LARGE_SEGMENT_BYTES, lab.turns(EVENTS));
        fold(snapshots.resolve("journal"), events);
        starts(events);
        lab.discard(snapshots);
        lab.discard(plain);
    }

    private void fold(Path journal, int events) {
        List<Double> rates = new ArrayList<>();
        try (JournalReader reader = JournalReader.open(journal)) {
            for (int i = 0; i < 2 + ROUNDS; i++) {
                long start = System.nanoTime();
                Fold fold = new Fold();
                reader.read(JournalReader.From.OLDEST, fold);
                if (fold.records != events) {
                    throw new IllegalStateException(fold.records + " of " + events + " were read");
                }
                rates.add(events * 1e9 / (System.nanoTime() - start));
            }
        }
        List<Double> warm = rates.subList(2, rates.size());
        table.bounded(
                "warm fold with checksums, millions of events a second, median of " + ROUNDS,
                "%,d events".formatted(events),
                "",
                Stats.median(warm) / 1e6,
                Table.Bound.AT_LEAST,
                1);
    }

    private void starts(int events) throws IOException, InterruptedException {
        Duration empty = start("empty");
        for (String name : new String[] {"snapshots", "plain"}) {
            Duration taken = start(name);
            table.shown(
                    "cold start, %,d events, %s"
                            .formatted(
                                    events,
                                    name.equals("plain") ? "no snapshot" : "with snapshots"),
                    seconds(taken),
                    seconds(empty) + " with an empty journal",
                    Table.number((double) taken.toNanos() / empty.toNanos()));
        }
    }

    private Duration start(String name) throws IOException, InterruptedException {
        forget(lab.disk().resolve(name).resolve("journal"));
        try (DaemonProcess daemon = lab.daemon(name, "--pool", "10.64.0.0/16")) {
            return daemon.start();
        }
    }

    /// Puts the files out of the page cache.
    private void forget(Path journal) throws IOException, InterruptedException {
        if (!Files.exists(journal)) {
            return;
        }
        try (Stream<Path> files = Files.walk(journal)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                lab.run("dd", "if=" + file, "iflag=nocache", "count=0", "status=none");
            }
        }
    }

    private static String seconds(Duration duration) {
        return Table.number(duration.toNanos() / 1e9) + " s";
    }

    private static final class Fold implements JournalReader.Visitor {
        private Ledger ledger = new Ledger();
        private int records;

        @Override
        public void snapshot(long sequence, List<byte[]> chunks) {
            if (records == 0) {
                ledger = Ledger.restore(chunks);
            }
        }

        @Override
        public void record(LogRecord record, boolean confirmed) {
            ledger.apply(record.ledgerMillis(), EventCodec.decode(record.type(), record.payload()));
            records++;
        }

        @Override
        public void damage(Damage damage) {
            throw new IllegalStateException(damage.toString());
        }
    }
}
