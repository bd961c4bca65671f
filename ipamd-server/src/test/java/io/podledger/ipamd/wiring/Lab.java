package io.podledger.ipamd.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.podledger.ipamd.netlink.Namespaces;
import io.podledger.ipamd.netlink.OpenNamespace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// Network namespaces of a test's own: a host and its pods. Nothing outside of them is touched.
final class Lab implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final long COMMAND_SECONDS_MAX = 20;

    private final String prefix =
            "pl-w" + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet() + "-";
    private final Deque<Namespace> namespaces = new ArrayDeque<>();

    /// @param name as `ip netns` knows it
    record Namespace(String name, OpenNamespace open) {
        int fd() {
            return open.fd();
        }

        /// Runs a command in the namespace and returns what it printed.
        String run(String command) {
            return Lab.run("ip netns exec " + name + " " + command);
        }

        /// One packet each, and no second try.
        void ping(String... addresses) {
            for (String address : addresses) {
                run("ping -c1 -W2 -q " + address);
            }
        }

        <T> T call(Callable<T> task) throws Exception {
            try {
                return Namespaces.call(fd(), task);
            } catch (IllegalStateException e) {
                throw e.getCause() instanceof Exception cause ? cause : e;
            }
        }
    }

    /// A namespace with addresses of its own on `lo`, that forwards.
    Namespace host() {
        Namespace host = namespace("host");
        host.run("ip link set lo up");
        host.run("ip addr add 10.99.0.1/32 dev lo");
        host.run("ip addr add fd99::1/128 dev lo nodad");
        host.run("sysctl -qw net.ipv4.ip_forward=1 net.ipv6.conf.all.forwarding=1");
        return host;
    }

    Namespace namespace(String name) {
        String full = prefix + name;
        run("ip netns add " + full);
        Namespace namespace = new Namespace(full, open(Path.of("/run/netns", full)));
        namespaces.push(namespace);
        return namespace;
    }

    /// Takes the name away; the namespace ends with its last descriptor.
    void delete(Namespace namespace) {
        namespace.open().close();
        namespaces.remove(namespace);
        run("ip netns del " + namespace.name());
    }

    @Override
    public void close() {
        while (!namespaces.isEmpty()) {
            delete(namespaces.peek());
        }
    }

    private static OpenNamespace open(Path path) {
        try {
            return OpenNamespace.at(path);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String run(String command) {
        try {
            Process process =
                    new ProcessBuilder(command.split(" ")).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            if (!process.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(command + " did not end");
            }
            if (process.exitValue() != 0) {
                throw new AssertionError(command + ": " + output);
            }
            return output;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(command, e);
        }
    }
}
