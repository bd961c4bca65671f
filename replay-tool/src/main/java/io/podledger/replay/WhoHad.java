package io.podledger.replay;

import io.podledger.projections.IpAddress;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Whose address it was.
@Command(
        name = "who-had",
        description = "Says who held an address at a moment, since when and until when.",
        footer = {
            "",
            Survey.HELP,
            "",
            "Example: podledger replay who-had 10.99.1.17 --at 2026-08-01T12:00:00+02:00",
            "",
            "Exit codes: 0 somebody held it, 3 nobody did."
        })
final class WhoHad implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init")
    private Where where;

    @Parameters(index = "0", paramLabel = "IP", description = "An IPv4 or IPv6 address.")
    private String address = "";

    @Option(
            names = "--at",
            paramLabel = "SEQ|TIME",
            defaultValue = "",
            description = "The moment: " + Moment.EXAMPLES + ". Default: the journal's end.")
    private String at = "";

    @Override
    public Integer call() {
        TimeText times = where.times();
        IpAddress ip = where.address("IP", address);
        Moment moment = where.moment("--at", at, times);
        try (Opened journal = where.open()) {
            Opened.Place place = journal.find(moment, times);
            var story = new AddressStory(ip, place.record().sequence());
            story.end(journal.tell(story).known());
            var answer = new AddressAnswer(ip, place, story);
            where.say(answer::json, () -> answer.text(times));
            return story.holder().isPresent() ? Main.ANSWERED : Main.NOBODY;
        }
    }
}
