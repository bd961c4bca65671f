package io.podledger.journal;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A process that writes until it is killed, and says after each sync what it has confirmed.
///
/// Arguments: folder, seed. Prints `pid PID`, then `open SEQUENCE COUNT`, then `SEQUENCE COUNT` for
/// each batch, COUNT being the records since ever.
final class Writer implements AutoCloseable {
    private static final int PAYLOAD_BYTES_MAX = 2000;
    private static final int BATCH_RECORDS_MAX = 64;

    private final Process process;
    private final BufferedReader output;

    private Writer(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    /// @param prefix a command that runs the command after it
    static Writer start(Path folder, long seed, String... prefix) throws IOException {
        List<String> command = new ArrayList<>(List.of(prefix));
        command.add(ProcessHandle.current().info().command().orElse("java"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--") || argument.startsWith("-Dchronicle"))
                .forEach(command::add);
        // A JVM that shares /tmp with another process 1 would say on stdout that its performance
        // file is taken.
        command.addAll(
                List.of(
                        "-XX:TieredStopAtLevel=1",
                        "-XX:-UsePerfData",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Writer.class.getName(),
                        folder.toString(),
                        Long.toString(seed)));
        return new Writer(
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /// The next line of its output, empty at the end.
    String line() throws IOException {
        String line = output.readLine();
        return line == null ? "" : line;
    }

    /// Kills it with SIGKILL. What it had said before can still be read.
    void kill() {
        process.toHandle().destroyForcibly();
    }

    /// Kills it and waits until it has let its output go, which is when it is dead.
    @Override
    public void close() throws IOException {
        kill();
        while (!line().isEmpty()) {}
        process.onExit().join();
    }

    static void main(String[] args) {
        System.out.println("pid " + ProcessHandle.current().pid());
        var random = new Random(Long.parseLong(args[1]));
        var tally = new Tally();
        try (var journal = Journal.open(Path.of(args[0]), JournalTest.SMALL, tally)) {
            System.out.println("open " + journal.sequence() + " " + tally.count());
            while (tally.count() < Long.MAX_VALUE) {
                int records = 1 + random.nextInt(BATCH_RECORDS_MAX);
                for (int i = 0; i < records; i++) {
                    tally.append(journal, payload(tally.count(), random));
                }
                journal.sync();
                System.out.println(journal.sequence() + " " + tally.count());
            }
        }
    }

    private static byte[] payload(long count, Random random) {
        var payload = new byte[8 + random.nextInt(PAYLOAD_BYTES_MAX)];
        random.nextBytes(payload);
        ByteBuffer.wrap(payload).putLong(count);
        return payload;
    }
}
