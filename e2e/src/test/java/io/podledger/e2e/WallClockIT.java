package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The wall clock jumps between starts: it is for people, and decides nothing.
@Tag("netns")
@Tag("faketime")
class WallClockIT {
    private static final String POOL = "10.99.1.6/31";

    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aClockThatGoesForwardEndsNoRest() {
        node.up("--pool", POOL, "--cooldown", "1h");
        Pod web = node.pod("web", "c1");
        Pod cart = node.pod("cart", "c2");
        web.add();
        String address = cart.address();
        web.del();

        node.kill();
        node.up(Tools.wallClockOff("+1d"), "--pool", POOL, "--cooldown", "1h");

        assertThat(node.pod("late", "c3").refused().path("msg").asText()).contains("1 are cooling");
        assertThat(cart.address()).isEqualTo(address);
        assertThat(clockWasOff(Duration.ofDays(1))).isTrue();
        JournalFacts.assertSound(node);
    }

    @Test
    void aClockThatGoesBackProlongsNoRestAndKeepsTheOrder() {
        node.up("--pool", POOL, "--cooldown", "1s");
        Pod web = node.pod("web", "c1");
        Pod cart = node.pod("cart", "c2");
        String address = web.address();
        cart.add();

        node.kill();
        node.up(Tools.wallClockOff("-1h"), "--pool", POOL, "--cooldown", "1s");
        web.del();
        Pod late = node.pod("late", "c3");
        Await.until(Duration.ofSeconds(30), "an ADD works", () -> late.call("ADD").exit() == 0);

        assertThat(late.address()).isEqualTo(address);
        assertThat(clockWasOff(Duration.ofHours(-1))).isTrue();
        node.kill();
        node.up("--pool", POOL, "--cooldown", "1s");
        assertThat(late.address()).isEqualTo(address);
        JournalFacts.assertSound(node);
        Kernel.assertIsLedger(node);
    }

    /// Whether the last start but one differs from the first by about so much more than the time
    /// that passed: else the clock was never off, and the test proves nothing.
    private boolean clockWasOff(Duration offset) {
        List<Instant> starts =
                node.events("DaemonStarted").stream()
                        .map(event -> Instant.parse(event.path("time").asText()))
                        .toList();
        Duration apart = Duration.between(starts.get(0), starts.get(1));
        return apart.minus(offset).abs().compareTo(Duration.ofMinutes(10)) < 0;
    }
}
