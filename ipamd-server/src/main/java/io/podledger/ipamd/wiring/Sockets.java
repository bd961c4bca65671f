package io.podledger.ipamd.wiring;

import io.podledger.ipamd.netlink.Netlink;
import io.podledger.ipamd.netlink.NetlinkException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/// Netlink sockets of the host's namespace that nobody uses at the moment.
final class Sockets implements AutoCloseable {
    private static final int IDLE_MAX = 16;

    private final BlockingQueue<Netlink> idle = new ArrayBlockingQueue<>(IDLE_MAX);

    /// Work with the host's namespace.
    interface Work<T> {
        T with(Netlink host) throws NetlinkException, WiringException;
    }

    /// Work without a result.
    interface Task {
        void with(Netlink host) throws NetlinkException, WiringException;
    }

    void run(Task task) throws WiringException {
        call(
                host -> {
                    task.with(host);
                    return true;
                });
    }

    <T> T call(Work<T> work) throws WiringException {
        try {
            Netlink used = idle.poll();
            Netlink host = used == null ? Netlink.here() : used;
            try {
                return work.with(host);
            } finally {
                if (!idle.offer(host)) {
                    host.close();
                }
            }
        } catch (NetlinkException e) {
            throw new WiringException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        for (int i = 0; i < IDLE_MAX; i++) {
            Netlink host = idle.poll();
            if (host == null) {
                return;
            }
            host.close();
        }
    }
}
