package io.podledger.ipamd.netlink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// A socket speaks with one namespace's kernel; threads stay where they are.
class NetlinkTest {
    private static final Path OWN = Path.of("/proc/thread-self/ns/net");

    @Test
    void devicesOfTheOwnNamespaceAreListed() throws Exception {
        try (Netlink netlink = Netlink.here()) {
            assertThat(netlink.links()).extracting(Link::name).contains("lo");
            assertThat(netlink.link("lo").orElseThrow().index()).isEqualTo(Link.LOOPBACK);
            assertThat(netlink.link("no-such-device")).isEmpty();
        }
    }

    @Test
    void aBatchAnswersEachOfItsRequests() throws Exception {
        try (Netlink netlink = Netlink.here()) {
            List<Answer> answers =
                    netlink.ask(List.of(Link.get("lo"), Link.get("none"), Link.get("lo")));

            assertThat(answers).extracting(Answer::errno).containsExactly(0, Errno.ENODEV, 0);
            assertThat(netlink.ask(List.of())).isEmpty();
        }
    }

    @Test
    void aTableThatIsNotThereIsEmpty() throws Exception {
        try (Netlink netlink = Netlink.here()) {
            assertThat(netlink.routes(false, 4_000_000, 0)).isEmpty();
            assertThat(netlink.routes(true, 4_000_000, 0)).isEmpty();
        }
    }

    @Test
    void aVirtualThreadIsTurnedAway() throws Exception {
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        Thread.ofVirtual()
                .uncaughtExceptionHandler((_, e) -> refusal.set(e))
                .start(
                        () -> {
                            try {
                                Netlink.here().close();
                            } catch (NetlinkException e) {
                                refusal.set(e);
                            }
                        })
                .join();

        assertThat(refusal.get())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("platform thread");
    }

    @Test
    void theOwnNamespaceIsRefused() throws Exception {
        try (OpenNamespace own = OpenNamespace.at(OWN)) {
            assertThatThrownBy(() -> Namespaces.identify(own.fd(), "boot"))
                    .hasMessageContaining("the host's own network namespace");
        }
    }

    @Test
    void whatIsNoNetworkNamespaceIsRefused() throws Exception {
        for (String path : List.of("/proc/self/ns/mnt", "/proc/self/status")) {
            try (OpenNamespace other = OpenNamespace.at(Path.of(path))) {
                assertThatThrownBy(() -> Namespaces.identify(other.fd(), "boot"))
                        .hasMessageContaining("no network namespace");
            }
        }
    }

    @Test
    void enteringWhatIsNoNetworkNamespaceFails() throws Exception {
        try (OpenNamespace other = OpenNamespace.at(Path.of("/proc/self/ns/mnt"))) {
            Path before = Files.readSymbolicLink(OWN);

            assertThatThrownBy(() -> Netlink.in(other.fd()))
                    .hasMessageContaining("enter a network namespace");
            assertThat(Files.readSymbolicLink(OWN)).isEqualTo(before);
        }
    }
}
