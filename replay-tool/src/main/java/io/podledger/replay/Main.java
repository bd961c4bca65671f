package io.podledger.replay;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/// The command line for post-mortems: what the journal says happened.
@Command(
        name = "podledger replay",
        synopsisSubcommandLabel = "VERB",
        description = "Reads the journal of a node: live or a copy, and never writes to it.",
        subcommands = {Verify.class, Events.class, StateAt.class, WhoHad.class, PodStory.class},
        footer = {
            "",
            "Example: podledger replay who-had 10.99.1.17 --at '5m ago'",
            "",
            "Exit codes: 0 answered, 1 damage or no answer possible, 2 wrong usage,"
                    + " 3 nobody had the address."
        })
public final class Main {
    static final int ANSWERED = 0;
    static final int FAILED = 1;
    static final int NOBODY = 3;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            description = "Shows this.")
    @SuppressWarnings("UnusedVariable")
    private boolean help;

    private Main() {}

    public static void main(String[] args) {
        System.exit(run(args));
    }

    /// @return the exit code
    public static int run(String... args) {
        PrintWriter out = new PrintWriter(System.out, false, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        return run(out, err, args);
    }

    static int run(PrintWriter out, PrintWriter err, String... args) {
        int code =
                new CommandLine(new Main())
                        .setOut(out)
                        .setErr(err)
                        .setParameterExceptionHandler(Main::misused)
                        .setExecutionExceptionHandler(Main::failed)
                        .execute(args);
        out.flush();
        err.flush();
        return code;
    }

    private static int misused(ParameterException e, String[] args) {
        CommandLine verb = e.getCommandLine();
        PrintWriter err = verb.getErr();
        err.println(EventText.plain(String.valueOf(e.getMessage())));
        if (verb.getParent() == null) {
            verb.usage(err);
        } else {
            err.println("Help: " + verb.getCommandSpec().qualifiedName() + " --help");
        }
        return verb.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static int failed(Exception e, CommandLine verb, CommandLine.ParseResult parsed) {
        String message = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
        verb.getErr().println(EventText.plain(message));
        return FAILED;
    }
}
