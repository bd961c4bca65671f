package io.podledger.replay;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.podledger.journal.JournalReader;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Pod;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.Function;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/// What every verb needs to know: which journal, and how to say things.
final class Where {
    @Spec(Target.MIXEE)
    @SuppressWarnings("NullAway.Init")
    private CommandSpec verb;

    @Option(
            names = "--state-dir",
            paramLabel = "DIR",
            defaultValue = "${env:PODLEDGER_STATE_DIR:-/var/lib/podledger}",
            description = {
                "The folder that holds journal/: of a live daemon or a copy. Nothing is ever"
                        + " written there. Also PODLEDGER_STATE_DIR. Default: /var/lib/podledger."
            })
    @SuppressWarnings("NullAway.Init")
    private Path stateDir;

    @Option(
            names = "--json",
            description = "One JSON object on each line, with names that stay; times in UTC.")
    private boolean json;

    @Option(
            names = "--zone",
            paramLabel = "ZONE",
            defaultValue = "",
            description = {
                "The time zone of times that are given without one, and of times that are shown:"
                        + " UTC, Europe/Berlin, +02:00. Default: the system's."
            })
    @SuppressWarnings("NullAway.Init")
    private String zone;

    /// @throws ReplayException if there is no journal
    Opened open() {
        Path journal = stateDir.resolve("journal");
        if (Files.isDirectory(stateDir) && !Files.isExecutable(stateDir)) {
            throw new ReplayException(
                    "--state-dir "
                            + stateDir
                            + ": this user may not look into it. A daemon's folder is open to root"
                            + " only: use sudo, or a copy of your own.");
        }
        if (!Files.isDirectory(journal)) {
            throw new ReplayException(
                    "--state-dir "
                            + stateDir
                            + ": there is no folder journal/ in it. Name the folder that holds"
                            + " journal/, such as /var/lib/podledger.");
        }
        return new Opened(JournalReader.open(journal), err());
    }

    boolean json() {
        return json;
    }

    PrintWriter out() {
        return verb.commandLine().getOut();
    }

    PrintWriter err() {
        return verb.commandLine().getErr();
    }

    /// Says one thing, as JSON or as text.
    void say(Supplier<ObjectNode> asJson, Supplier<String> asText) {
        if (json) {
            out().println(asJson.get());
        } else {
            out().print(asText.get());
        }
    }

    TimeText times() {
        return new TimeText(
                value("--zone", zone, "UTC, Europe/Berlin, +02:00", Where::zone), Instant.now());
    }

    Moment moment(String option, String given, TimeText times) {
        return given.isEmpty()
                ? new Moment.End()
                : value(option, given, Moment.EXAMPLES, text -> Moment.parse(text, times));
    }

    /// Wall time in ms, or `otherwise` where nothing was given.
    long time(String option, String given, TimeText times, long otherwise) {
        return given.isEmpty()
                ? otherwise
                : value(option, given, TimeText.EXAMPLES, times::parse).toEpochMilli();
    }

    IpAddress address(String option, String given) {
        return value(option, given, "10.99.1.17, fd00:99::11", IpAddress::parse);
    }

    Pod pod(String option, String given) {
        return value(option, given, "default/web-0", Where::pod);
    }

    ParameterException wrong(String option, String complaint) {
        return new ParameterException(
                verb.commandLine(), EventText.plain(option + ": " + complaint));
    }

    private <T> T value(String option, String given, String examples, Function<String, T> reading) {
        try {
            return reading.apply(given);
        } catch (IllegalArgumentException e) {
            throw wrong(option, e.getMessage() + ". Examples: " + examples);
        }
    }

    private static ZoneId zone(String text) {
        try {
            return text.isEmpty() ? ZoneId.systemDefault() : ZoneId.of(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + text + "' is not a time zone", e);
        }
    }

    private static Pod pod(String text) {
        int slash = text.indexOf('/');
        if (slash <= 0 || slash == text.length() - 1 || text.indexOf('/', slash + 1) >= 0) {
            throw new IllegalArgumentException("'" + text + "' is not NAMESPACE/NAME");
        }
        return new Pod(text.substring(0, slash), text.substring(slash + 1), "");
    }
}
