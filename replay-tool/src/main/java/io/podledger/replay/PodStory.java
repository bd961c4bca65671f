package io.podledger.replay;

import io.podledger.projections.Ledger;
import io.podledger.projections.Pod;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// A pod's time line.
@Command(
        name = "pod",
        description = {
            "Tells what happened to a pod: each sandbox with its addresses, from when to when, each"
                    + " DEL with its verdict, and what released it."
        },
        footer = {
            "",
            "At most the newest "
                    + PodLives.LIVES_MAX
                    + " sandboxes, each with at most "
                    + PodLife.FACTS_MAX
                    + " facts; 'events --pod' has no such bound.",
            "",
            "Example: podledger replay pod default/web-0",
            "",
            "Exit codes: 0 told, 3 nothing is known of the pod."
        })
final class PodStory implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init")
    private Where where;

    @Parameters(index = "0", paramLabel = "NAMESPACE/NAME", description = "The pod.")
    private String name = "";

    @Override
    public Integer call() {
        TimeText times = where.times();
        Pod pod = where.pod("NAMESPACE/NAME", name);
        try (Opened journal = where.open()) {
            var lives = new PodLives(pod);
            Optional<Ledger> end = journal.tell(lives).known();
            if (lives.lives().isEmpty()) {
                where.err().println("nothing is known of pod " + EventText.plain(name));
                return Main.NOBODY;
            }
            if (lives.leftOut() > 0) {
                where.err().println("note: " + lives.leftOut() + " older sandboxes are left out");
            }
            lives.lives().forEach(life -> say(new PodAnswer(life, end), times));
            return Main.ANSWERED;
        }
    }

    private void say(PodAnswer answer, TimeText times) {
        where.say(answer::json, () -> answer.text(times));
    }
}
