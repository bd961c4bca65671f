package io.podledger.replay;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// The facts themselves, in the order in which they were written.
@Command(
        name = "events",
        description = "Shows the facts of the journal, oldest first.",
        footer = {
            "",
            "Times are wall times as they stand in the records: they are for people, and where the"
                    + " node's clock jumped they jump. Sequences never do: --from-seq, --to-seq.",
            "A '?' behind the sequence: no later record says that this one was synced. So it is with the"
                    + " newest records of any journal.",
            "",
            "Example: podledger replay events --pod default/web-0 --since '2h ago' --type released"
        })
final class Events implements Callable<Integer> {
    private static final int CONTAINER_CHARS_MIN = 6;

    @Mixin
    @SuppressWarnings("NullAway.Init")
    private Where where;

    @Option(
            names = "--pod",
            paramLabel = "NAMESPACE/NAME",
            defaultValue = "",
            description = "Facts about this pod's sandboxes.")
    private String pod = "";

    @Option(
            names = "--container",
            paramLabel = "ID",
            defaultValue = "",
            description = "Facts about this container, by its first 6 or more characters.")
    private String container = "";

    @Option(
            names = "--address",
            paramLabel = "IP",
            defaultValue = "",
            description = "Facts about who holds this address.")
    private String address = "";

    @Option(
            names = "--type",
            paramLabel = "NAME",
            description = "Facts of this type, such as AddressReserved. May be repeated.")
    private List<String> types = List.of();

    @Option(
            names = "--since",
            paramLabel = "TIME",
            defaultValue = "",
            description = "Facts from this wall time on: " + TimeText.EXAMPLES + ".")
    private String since = "";

    @Option(
            names = "--until",
            paramLabel = "TIME",
            defaultValue = "",
            description = "Facts up to this wall time.")
    private String until = "";

    @Option(
            names = "--from-seq",
            paramLabel = "SEQ",
            defaultValue = "1",
            description = "Facts from this sequence on.")
    private long fromSequence;

    @Option(
            names = "--to-seq",
            paramLabel = "SEQ",
            defaultValue = "9223372036854775807",
            showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
            description = "Facts up to this sequence.")
    private long toSequence;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "9223372036854775807",
            description = "No more than the first N facts that fit.")
    private long limit;

    @Override
    public Integer call() {
        TimeText times = where.times();
        Filter filter = filter(times);
        try (Opened journal = where.open()) {
            journal.tell(new EventTable(where, times, filter, limit));
        }
        return Main.ANSWERED;
    }

    private Filter filter(TimeText times) {
        check();
        return new Filter(
                pod.isEmpty() ? Optional.empty() : Optional.of(where.pod("--pod", pod)),
                container,
                address.isEmpty()
                        ? Optional.empty()
                        : Optional.of(where.address("--address", address)),
                types.stream().map(this::type).collect(Collectors.toUnmodifiableSet()),
                where.time("--since", since, times, Long.MIN_VALUE),
                where.time("--until", until, times, Long.MAX_VALUE),
                fromSequence,
                toSequence);
    }

    private void check() {
        if (!container.isEmpty() && container.length() < CONTAINER_CHARS_MIN) {
            throw where.wrong(
                    "--container",
                    "'" + container + "' is shorter than " + CONTAINER_CHARS_MIN + " characters");
        }
        if (limit < 1) {
            throw where.wrong("--limit", limit + " is less than 1");
        }
    }

    private String type(String given) {
        return EventTypes.named(given)
                .orElseThrow(
                        () ->
                                where.wrong(
                                        "--type",
                                        "'"
                                                + given
                                                + "' is no type of fact. There are "
                                                + String.join(", ", EventTypes.NAMES)));
    }
}
