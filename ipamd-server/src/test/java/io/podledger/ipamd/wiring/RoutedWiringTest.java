package io.podledger.ipamd.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.podledger.ipamd.wiring.Lab.Namespace;
import io.podledger.projections.Lease;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Pods that are wired reach each other and the host at once; wiring twice is wiring once.
class RoutedWiringTest {
    private final Lab lab = new Lab();
    private final RoutedWiring wiring = new RoutedWiring("journal-1", Path.of("/proc/sys"));
    private Namespace host;
    private Namespace pod;

    @BeforeEach
    void setUp() throws Exception {
        host = lab.host();
        pod = lab.namespace("pod");
    }

    @AfterEach
    void tearDown() {
        wiring.close();
        lab.close();
    }

    @Test
    void podsWithBothFamiliesReachEachOtherAndTheHostAtOnce() throws Exception {
        Namespace other = lab.namespace("other");
        wire(Leases.of("a", "10.99.1.1", "fd99:1::1"), pod);
        wire(Leases.of("b", "10.99.1.2", "fd99:1::2"), other);

        ping(host, "10.99.1.1", "fd99:1::1", "10.99.1.2", "fd99:1::2");
        ping(pod, "10.99.1.2", "fd99:1::2", "10.99.0.1", "fd99::1", "127.0.0.1");
        ping(other, "10.99.1.1", "fd99:1::1", "10.99.1.2");
    }

    private void wire(Lease lease, Namespace into) throws Exception {
        host.call(
                () -> {
                    wiring.wire(lease, into.fd());
                    wiring.check(lease, into.fd());
                    return true;
                });
    }

    private static void ping(Namespace from, String... addresses) {
        for (String address : addresses) {
            assertThat(from.run("ping -c1 -W2 -q " + address)).contains(" 0% packet loss");
        }
    }
}
