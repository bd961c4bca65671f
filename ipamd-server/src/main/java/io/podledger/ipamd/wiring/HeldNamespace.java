package io.podledger.ipamd.wiring;

import io.podledger.projections.NamespaceIdentity;
import java.util.concurrent.atomic.AtomicBoolean;

/// A network namespace held open by its descriptor, for as long as a call may need it.
public final class HeldNamespace implements AutoCloseable {
    private final int descriptor;
    private final NamespaceIdentity identity;
    private final Runnable closing;
    private final AtomicBoolean closed = new AtomicBoolean();

    /// @param closing closes the descriptor; run once
    public HeldNamespace(int descriptor, NamespaceIdentity identity, Runnable closing) {
        this.descriptor = descriptor;
        this.identity = identity;
        this.closing = closing;
    }

    public int descriptor() {
        return descriptor;
    }

    public NamespaceIdentity identity() {
        return identity;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            closing.run();
        }
    }
}
