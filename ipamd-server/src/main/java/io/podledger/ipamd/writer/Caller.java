package io.podledger.ipamd.writer;

import io.podledger.ipamd.wiring.HeldNamespace;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/// Somebody who waits for an answer and gets exactly one. The namespace is the caller's own and is
/// closed when nothing works in it any more.
final class Caller {
    private final Consumer<Answer> reply;
    private final Optional<HeldNamespace> namespace;
    private final AtomicBoolean answered = new AtomicBoolean();

    Caller(Consumer<Answer> reply, Optional<HeldNamespace> namespace) {
        this.reply = reply;
        this.namespace = namespace;
    }

    Optional<HeldNamespace> namespace() {
        return namespace;
    }

    void answer(Answer answer) {
        if (answered.compareAndSet(false, true)) {
            reply.accept(answer);
        }
    }

    void release() {
        namespace.ifPresent(HeldNamespace::close);
    }
}
