package io.podledger.ipamd.writer;

import io.podledger.ipamd.wiring.HeldNamespace;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Somebody who waits for an answer and gets exactly one. The namespace is the caller's own and is
/// closed when nothing works in it any more.
final class Caller {
    private static final Logger LOG = LoggerFactory.getLogger(Caller.class);

    private final Consumer<Answer> reply;
    private final Optional<HeldNamespace> namespace;
    private final long sinceNanos = System.nanoTime();
    private final AtomicBoolean answered = new AtomicBoolean();

    Caller(Consumer<Answer> reply, Optional<HeldNamespace> namespace) {
        this.reply = reply;
        this.namespace = namespace;
    }

    Optional<HeldNamespace> namespace() {
        return namespace;
    }

    /// For how long the caller has waited at this reading of [System#nanoTime].
    long waitedNanos(long now) {
        return now - sinceNanos;
    }

    /// A reply that throws is the caller's loss alone: the ledger stands as it was decided.
    void answer(Answer answer) {
        if (!answered.compareAndSet(false, true)) {
            return;
        }
        try {
            reply.accept(answer);
        } catch (RuntimeException e) {
            LOG.error("an answer could not be given", e);
        }
    }

    void release() {
        namespace.ifPresent(HeldNamespace::close);
    }
}
