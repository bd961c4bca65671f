package io.podledger.ipamd.wiring;

import io.podledger.ipamd.wiring.Lab.Namespace;
import io.podledger.projections.Lease;
import java.nio.file.Path;

/// A host's namespace with a real wiring in it, and pods.
final class WiringLab implements AutoCloseable {
    static final String JOURNAL = "journal-1";

    private final Lab lab = new Lab();
    private final RoutedWiring wiring = new RoutedWiring(JOURNAL, Path.of("/proc/sys"));
    private final Namespace host;

    WiringLab() {
        host = lab.host();
    }

    Namespace host() {
        return host;
    }

    Namespace pod(String name) {
        return lab.namespace(name);
    }

    void delete(Namespace pod) {
        lab.delete(pod);
    }

    RoutedWiring wiring() {
        return wiring;
    }

    /// Wires, and sees that nothing is found amiss.
    void wire(Lease lease, Namespace pod) throws Exception {
        host.call(
                () -> {
                    wiring.wire(lease, pod.fd());
                    wiring.check(lease, pod.fd());
                    return true;
                });
    }

    void check(Lease lease, Namespace pod) throws Exception {
        host.call(
                () -> {
                    wiring.check(lease, pod.fd());
                    return true;
                });
    }

    void unwire(Lease lease) throws Exception {
        host.call(
                () -> {
                    wiring.unwire(lease);
                    return true;
                });
    }

    String hostState() {
        return state(host);
    }

    /// All that `ip` shows of a namespace.
    String state(Namespace namespace) {
        return namespace.run("ip -d link")
                + namespace.run("ip addr show scope global")
                + namespace.run("ip route show table all proto 112")
                + namespace.run("ip -6 route show table all proto 112")
                + namespace.run("ip rule")
                + namespace.run("ip -6 rule")
                + namespace.run("ip neigh show nud permanent");
    }

    @Override
    public void close() {
        wiring.close();
        lab.close();
    }
}
