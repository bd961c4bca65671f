package io.podledger.ipamd.cri;

import io.podledger.projections.Attachment;
import io.podledger.projections.Command;
import io.podledger.projections.Sandbox;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Follows the runtime's sandboxes: a list at every connection and from time to time, and between
/// the lists a question for each sandbox that the runtime's stream names. One thread asks and hands
/// in what it was told, so what comes later is newer. A runtime that is away or slow is asked again
/// later, and keeps nobody waiting.
public final class RuntimeWatch implements AutoCloseable {
    /// Writes down what the runtime said, and comes back when that has been decided on: while the
    /// writer is busy the runtime is not asked, and what its stream names is gathered.
    public interface Recorder {
        /// @return the attachments whose sandboxes the runtime is to be asked for
        List<Attachment> record(Command command) throws InterruptedException;
    }

    /// How the runtime stands.
    ///
    /// @param said its name and version, or why it cannot be asked
    /// @param lists how many lists were taken, counted on from earlier processes
    public record State(boolean connected, String said, long lists) {}

    /// After one list; the rest is asked for after the next.
    private static final int RECHECKS_MAX = 256;

    private static final Duration RETRY_FIRST = Duration.ofMillis(500);
    private static final Duration RETRY_MAX = Duration.ofSeconds(10);
    private static final Logger LOG = LoggerFactory.getLogger(RuntimeWatch.class);

    private final Path socket;
    private final Duration listEvery;
    private final Recorder recorder;
    private final Thread thread;
    private final CountDownLatch listed = new CountDownLatch(1);
    private long lists;
    private Duration retry = RETRY_FIRST;
    private volatile State state;

    /// @param lists the number of the newest list that an earlier process took
    public RuntimeWatch(Path socket, Duration listEvery, long lists, Recorder recorder) {
        this.socket = socket;
        this.listEvery = listEvery;
        this.lists = lists;
        this.recorder = recorder;
        this.state = new State(false, "not asked yet", lists);
        this.thread = Thread.ofPlatform().name("runtime-watch").daemon().start(this::run);
    }

    public State state() {
        return state;
    }

    /// Waits for the first list.
    ///
    /// @return whether it was taken in this time
    public boolean awaitList(Duration max) throws InterruptedException {
        return listed.await(max.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (!Thread.interrupted()) {
                connected();
                Thread.sleep(retry);
                retry = Collections.min(List.of(retry.multipliedBy(2), RETRY_MAX));
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// From connecting until the connection fails.
    private void connected() throws InterruptedException {
        try (RuntimeClient runtime = new RuntimeClient(socket)) {
            String version = runtime.version();
            EventHints hints = new EventHints();
            // Before the list, so that nothing falls between the two.
            runtime.events(hints);
            list(runtime, version);
            retry = RETRY_FIRST;
            away(follow(runtime, version, hints));
        } catch (RuntimeAwayException e) {
            away(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("following the runtime ended in an error of the daemon's own", e);
            away(e.toString());
        }
    }

    /// @return why the stream ended
    private String follow(RuntimeClient runtime, String version, EventHints hints)
            throws RuntimeAwayException, InterruptedException {
        long nextList = System.nanoTime() + listEvery.toNanos();
        while (true) {
            long left = TimeUnit.NANOSECONDS.toMillis(nextList - System.nanoTime());
            EventHints.Hint hint = left > 0 ? hints.next(left) : new EventHints.Hint.List();
            switch (hint) {
                case EventHints.Hint.Ask(String id) -> ask(runtime, id);
                case EventHints.Hint.List _ -> {
                    list(runtime, version);
                    nextList = System.nanoTime() + listEvery.toNanos();
                }
                case EventHints.Hint.Quiet _ -> {}
                case EventHints.Hint.Ended(String why) -> {
                    return why;
                }
            }
        }
    }

    private void list(RuntimeClient runtime, String version)
            throws RuntimeAwayException, InterruptedException {
        RuntimeClient.Listing listing = runtime.list();
        lists++;
        List<Attachment> missed =
                recorder.record(new Command.SandboxesListed(lists, listing.sandboxes()));
        if (!state.connected()) {
            LOG.info("{} at {} has {} sandboxes", version, socket, listing.sandboxes().size());
        }
        if (listing.notUnderstood() > 0) {
            LOG.warn(
                    "{} sandboxes of the runtime have no ID or no pod and are passed over",
                    listing.notUnderstood());
        }
        state = new State(true, version, lists);
        listed.countDown();
        for (Attachment attachment : missed.subList(0, Math.min(missed.size(), RECHECKS_MAX))) {
            recheck(runtime, attachment);
        }
    }

    private void ask(RuntimeClient runtime, String id)
            throws RuntimeAwayException, InterruptedException {
        switch (runtime.sandbox(id)) {
            case RuntimeClient.Word.Has(var sandbox) -> shown(id, Optional.of(sandbox));
            case RuntimeClient.Word.HasNone _ -> shown(id, Optional.empty());
            case RuntimeClient.Word.Unclear(var why) ->
                    LOG.debug("the runtime on sandbox {}: {}", id, why);
        }
    }

    /// The last question before an attachment is taken down: an unclear word keeps it.
    private void recheck(RuntimeClient runtime, Attachment attachment)
            throws RuntimeAwayException, InterruptedException {
        String id = attachment.containerId();
        switch (runtime.sandbox(id)) {
            case RuntimeClient.Word.Has(var sandbox) -> shown(id, Optional.of(sandbox));
            case RuntimeClient.Word.HasNone _ -> {
                LOG.warn("{} lost its sandbox and no DEL came: it is taken down", attachment.key());
                recorder.record(new Command.Sweep(attachment, lists));
            }
            case RuntimeClient.Word.Unclear(var why) ->
                    LOG.warn("{} is missed, and the runtime says: {}", attachment.key(), why);
        }
    }

    private void shown(String id, Optional<Sandbox> sandbox) throws InterruptedException {
        recorder.record(new Command.SandboxShown(id, sandbox, lists));
    }

    /// Said once for each time that it is away.
    private void away(String why) {
        if (state.connected() || state.said().equals("not asked yet")) {
            LOG.warn("the runtime at {} cannot be asked, ADD and DEL go on: {}", socket, why);
        }
        state = new State(false, why, lists);
    }
}
