package io.podledger.ipamd.netlink;

import io.podledger.projections.NamespaceIdentity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/// Network namespaces by open descriptor. Paths to them are never opened, but for our own.
public final class Namespaces {
    /// Entering a namespace and making a socket there takes a tenth of a millisecond.
    private static final Duration CALL_MAX = Duration.ofSeconds(30);

    private static final Path OWN = Path.of("/proc/thread-self/ns/net");

    /// The namespace of the process's first thread, which never leaves it: once it could be read.
    private static volatile Optional<NamespaceIdentity> host = Optional.empty();

    private static final String LOST_THREAD = " is stuck in a pod's network namespace";

    private static final ThreadLocal<Boolean> LOST = ThreadLocal.withInitial(() -> false);

    private Namespaces() {}

    /// Runs a task inside a network namespace: on a thread that enters, works and ends. It never
    /// has to come back, so no failure can leave a thread in a foreign namespace.
    ///
    /// @param namespace descriptor of an open network namespace
    /// @throws IllegalStateException on a virtual thread
    public static <T> T call(int namespace, Callable<T> task) throws NetlinkException {
        requirePlatformThread();
        FutureTask<T> inside =
                new FutureTask<>(
                        () -> {
                            enter(namespace);
                            return task.call();
                        });
        Thread thread = Thread.ofPlatform().daemon().name("in-namespace").start(inside);
        return finished(inside, thread);
    }

    /// Something short that happens in another namespace.
    interface Visit<T> {
        T there() throws NetlinkException;
    }

    /// Takes the calling thread into a network namespace and back: a few microseconds, where a
    /// thread of its own costs some hundred.
    static <T> T visit(int namespace, Visit<T> visit) throws NetlinkException {
        requirePlatformThread();
        int own = Libc.open(OWN.toString());
        if (own < 0) {
            throw new NetlinkException("open " + OWN, -own);
        }
        try {
            enter(namespace);
            try {
                return visit.there();
            } finally {
                comeBack(own);
            }
        } finally {
            Libc.close(own);
        }
    }

    private static void enter(int namespace) throws NetlinkException {
        int result = Libc.enterNetwork(namespace);
        if (result < 0) {
            throw new NetlinkException("enter a network namespace", -result);
        }
    }

    /// The kernel has no reason to refuse. If it does, the thread is of no more use to anybody, and
    /// is turned away from here on.
    private static void comeBack(int own) {
        int result = Libc.enterNetwork(own);
        if (result < 0) {
            LOST.set(true);
            throw new IllegalStateException(
                    "thread " + Thread.currentThread().getName() + LOST_THREAD);
        }
    }

    private static <T> T finished(FutureTask<T> inside, Thread thread) throws NetlinkException {
        try {
            if (!thread.join(CALL_MAX)) {
                throw new NetlinkException(
                        "work in a network namespace", 0, "not done in " + CALL_MAX);
            }
            return inside.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NetlinkException("work in a network namespace", Errno.EINTR);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof NetlinkException refusal) {
                throw refusal;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /// Which network namespace a descriptor leads to.
    ///
    /// @throws NetlinkException if it leads to none, or to the daemon's own
    public static NamespaceIdentity identify(int namespace, String bootId) throws NetlinkException {
        int type = Libc.namespaceType(namespace);
        if (type != Libc.CLONE_NEWNET) {
            throw new NetlinkException(
                    "identify the pod's namespace", 0, "the descriptor is no network namespace's");
        }
        NamespaceIdentity pod = identity(Libc.identity(namespace), bootId);
        if (pod.equals(host(bootId))) {
            throw new NetlinkException(
                    "identify the pod's namespace", 0, "it is the host's own network namespace");
        }
        return pod;
    }

    private static NamespaceIdentity host(String bootId) throws NetlinkException {
        Optional<NamespaceIdentity> known = host.filter(own -> own.bootId().equals(bootId));
        if (known.isPresent()) {
            return known.get();
        }
        int own = Libc.open("/proc/self/ns/net");
        if (own < 0) {
            throw new NetlinkException("open /proc/self/ns/net", -own);
        }
        try {
            NamespaceIdentity read = identity(Libc.identity(own), bootId);
            host = Optional.of(read);
            return read;
        } finally {
            Libc.close(own);
        }
    }

    static void requirePlatformThread() {
        if (LOST.get()) {
            throw new IllegalStateException(
                    "thread " + Thread.currentThread().getName() + LOST_THREAD);
        }
        if (Thread.currentThread().isVirtual()) {
            throw new IllegalStateException(
                    "namespaces belong to operating system threads: use a platform thread");
        }
    }

    private static NamespaceIdentity identity(long[] identity, String bootId)
            throws NetlinkException {
        if (identity.length == 1) {
            throw new NetlinkException("identify a namespace", (int) -identity[0]);
        }
        return new NamespaceIdentity(identity[0], identity[1], bootId);
    }
}
