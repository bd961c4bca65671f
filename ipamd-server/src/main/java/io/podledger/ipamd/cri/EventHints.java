package io.podledger.ipamd.cri;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.podledger.ipamd.cri.wire.ContainerEventResponse;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.concurrent.TimeUnit;

/// The sandboxes that the runtime's stream has named since it was looked at last. What an event
/// says is not believed, since events come late and out of order: whoever takes a hint asks the
/// runtime. A thread of the runtime's connection puts in and never waits; when more sandboxes are
/// named than are kept, all are to be listed.
final class EventHints implements StreamObserver<ContainerEventResponse> {
    private static final int IDS_MAX = 1_024;

    /// What to do next.
    sealed interface Hint {
        record Ask(String id) implements Hint {}

        record List() implements Hint {}

        /// Nothing was named for as long as was waited.
        record Quiet() implements Hint {}

        /// The stream has ended, and the connection is to be made anew.
        record Ended(String why) implements Hint {}
    }

    private final SequencedSet<String> ids = new LinkedHashSet<>();
    private boolean overflowed;
    private Optional<String> ended = Optional.empty();

    @Override
    public synchronized void onNext(ContainerEventResponse event) {
        String id = event.getPodSandboxStatus().getId();
        if (id.isEmpty()) {
            // A sandbox that was removed has no status any more: then the container is named alone.
            id = event.getContainerId();
        }
        ids.add(id);
        if (ids.size() > IDS_MAX) {
            ids.clear();
            overflowed = true;
        }
        notifyAll();
    }

    /// A runtime without the stream is polled, and so is not away.
    @Override
    public void onError(Throwable cause) {
        Status status = Status.fromThrowable(cause);
        if (status.getCode() != Status.Code.UNIMPLEMENTED) {
            end(RuntimeAwayException.said(status));
        }
    }

    @Override
    public void onCompleted() {
        end("the runtime ended the stream of events");
    }

    private synchronized void end(String why) {
        ended = Optional.of(why);
        notifyAll();
    }

    /// @param millis how long a hint is waited for, more than 0
    synchronized Hint next(long millis) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        long left = millis;
        while (left > 0 && ids.isEmpty() && !overflowed && ended.isEmpty()) {
            wait(left);
            left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
        }
        if (ended.isPresent()) {
            return new Hint.Ended(ended.get());
        }
        if (overflowed) {
            overflowed = false;
            return new Hint.List();
        }
        return ids.isEmpty() ? new Hint.Quiet() : new Hint.Ask(ids.removeFirst());
    }
}
