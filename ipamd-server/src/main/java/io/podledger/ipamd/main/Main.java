package io.podledger.ipamd.main;

import io.podledger.ipamd.config.UpOptions;
import io.podledger.journal.JournalException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// The daemon's command line.
@Command(
        name = "podledger",
        description = "Gives pods their addresses and keeps the history of each.",
        mixinStandardHelpOptions = true,
        version = Main.VERSION,
        synopsisSubcommandLabel = "COMMAND")
public final class Main {
    static final String VERSION = "0.1.0";

    /// Of sysexits.h: what was asked for cannot be done now.
    private static final int UNAVAILABLE = 69;

    private Main() {}

    public static void main(String... args) {
        System.exit(run(args));
    }

    /// @return the process's exit status: 0, 2 for a wrong command line, 69 where the daemon cannot
    ///   start
    public static int run(String... args) {
        return new CommandLine(new Main())
                .addSubcommand(new Up())
                .setExecutionExceptionHandler((e, line, _) -> failed(e, line))
                .execute(args);
    }

    private static int failed(Exception e, CommandLine line) {
        line.getErr().println("podledger: " + (e.getMessage() == null ? e : e.getMessage()));
        return UNAVAILABLE;
    }

    /// The daemon in the foreground.
    @Command(
            name = "up",
            description = "Runs the daemon in the foreground until SIGTERM.",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            footer = {
                "",
                "Each option is an environment variable too: --state-dir is PODLEDGER_STATE_DIR. The"
                        + " option wins."
            })
    static final class Up implements java.util.concurrent.Callable<Integer> {
        @Mixin UpOptions options = new UpOptions();

        @Override
        public Integer call() throws StartException, InterruptedException, JournalException {
            options.check();
            new Daemon(options, VERSION).run();
            return 0;
        }
    }
}
