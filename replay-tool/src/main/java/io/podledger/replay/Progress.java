package io.podledger.replay;

import io.podledger.journal.Damage;
import io.podledger.journal.JournalReader;
import io.podledger.journal.LogRecord;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// A bar on standard error for work that a person waits for: from half a second on, and only if
/// standard error is a terminal.
final class Progress implements AutoCloseable {
    private static final Path STDERR = Path.of("/proc/self/fd/2");
    private static final long QUIET_NANOS = 500_000_000;
    private static final long STEP_NANOS = 100_000_000;
    private static final int LOOK_EVERY_RECORDS = 1024;
    private static final int WIDTH = 40;

    private final PrintWriter err;
    private final long total;
    private long next = System.nanoTime() + QUIET_NANOS;
    private int records;
    private boolean shown;

    /// @param total the last sequence
    Progress(PrintWriter err, long total) {
        this.err = err;
        this.total = Math.max(1, total);
    }

    /// The visitor itself, or on a terminal one that moves the bar as well.
    JournalReader.Visitor around(JournalReader.Visitor visitor) {
        return stderrIsTerminal() ? new Watched(visitor) : visitor;
    }

    /// `Console.isTerminal` looks at standard input and output only.
    private static boolean stderrIsTerminal() {
        try {
            String target = Files.readSymbolicLink(STDERR).toString();
            return target.startsWith("/dev/pts/")
                    || target.startsWith("/dev/tty")
                    || target.equals("/dev/console");
        } catch (IOException e) {
            return false;
        }
    }

    private final class Watched implements JournalReader.Visitor {
        private final JournalReader.Visitor visitor;

        Watched(JournalReader.Visitor visitor) {
            this.visitor = visitor;
        }

        @Override
        public void snapshot(long sequence, List<byte[]> chunks) {
            visitor.snapshot(sequence, chunks);
        }

        @Override
        public void record(LogRecord record, boolean confirmed) {
            if (++records % LOOK_EVERY_RECORDS == 0) {
                move(record.sequence());
            }
            visitor.record(record, confirmed);
        }

        @Override
        public void damage(Damage damage) {
            visitor.damage(damage);
        }
    }

    private void move(long done) {
        long now = System.nanoTime();
        if (now - next >= 0) {
            next = now + STEP_NANOS;
            shown = true;
            err.print(bar(done, total));
            err.flush();
        }
    }

    static String bar(long done, long total) {
        double part = Math.clamp((double) done / total, 0, 1);
        int full = (int) (part * WIDTH);
        return "\r["
                + "=".repeat(full)
                + " ".repeat(WIDTH - full)
                + "] "
                + (int) (part * 100)
                + " %";
    }

    /// Leaves an empty line behind, not the bar.
    @Override
    public void close() {
        if (shown) {
            err.print("\r" + " ".repeat(WIDTH + 9) + "\r");
            err.flush();
        }
    }
}
