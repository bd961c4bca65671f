package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// The disk lost what the journal said, and pods are alive.
@Tag("netns")
@Tag("ping")
class LostHistoryIT {
    private static final String[] EIGHT = {"--pool", "10.99.1.8/29", "--cooldown", "1s"};

    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void livePodsKeepTheirDevicesAndAddresses() throws IOException {
        List<Pod> pods = live();
        List<String> addresses = pods.stream().map(Pod::address).toList();
        Kernel before = Kernel.of(node);
        lose();

        node.up(EIGHT);

        assertThat(Kernel.of(node)).isEqualTo(before);
        assertThat(node.state("suspect"))
                .extracting(suspect -> suspect.path("address").asText())
                .containsExactlyInAnyOrderElementsOf(addresses);
        List<String> given = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            given.add(node.pod("new-" + i, "n" + i).address());
        }
        assertThat(given).doesNotHaveDuplicates().doesNotContainAnyElementsOf(addresses);
        JsonNode full = node.pod("late", "n9").refused();
        assertThat(full.path("msg").asText()).contains("2 are withheld");
        assertThat(pods.get(0).reaches(addresses.get(1))).isTrue();
        assertThat(pods.get(1).reaches(given.getFirst())).isTrue();
    }

    @Test
    void theDelOfALivePodRemovesWhatItHadAndFreesItsAddress() throws IOException {
        List<Pod> pods = live();
        String address = pods.get(0).address();
        lose();
        node.up(EIGHT);

        pods.get(0).delWithoutNamespace().ok();
        pods.get(1).del();

        Kernel.assertEmpty(node);
        assertThat(node.state("suspect")).isEmpty();
        List<String> given = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Pod pod = node.pod("new-" + i, "n" + i);
            Await.until(Duration.ofSeconds(30), "an ADD works", () -> pod.call("ADD").exit() == 0);
            given.add(pod.address());
        }
        assertThat(given).doesNotHaveDuplicates().contains(address);
        Kernel.assertIsLedger(node);
        JournalFacts.assertSound(node);
    }

    @Test
    void suspicionOutlivesTheDaemonAndIsRaisedOnce() throws IOException {
        live();
        lose();
        node.up(EIGHT);

        node.kill().up(EIGHT);

        assertThat(node.state("suspect")).hasSize(2);
        assertThat(node.events("AttachmentSuspected")).hasSize(2);
    }

    @Test
    void aMissingNewestSegmentIsNamedAndNothingStarts() throws IOException {
        List<Pod> pods = live();
        Kernel before = Kernel.of(node);
        node.kill().up(EIGHT).kill();
        List<Path> segments = segments();
        // The last is a spare that holds nothing yet.
        List<Path> newest = segments.subList(segments.size() - 2, segments.size());
        for (Path segment : newest) {
            remove(segment);
        }

        node.spawn(List.of(), EIGHT);

        assertThat(node.exit()).isEqualTo(69);
        assertThat(node.logged()).contains(newest.getFirst().toString()).doesNotContain("\tat ");
        assertThat(segments()).doesNotContainAnyElementsOf(newest);
        assertThat(Kernel.of(node)).isEqualTo(before);
        assertThat(pods.getFirst().refused().path("code").asInt()).isEqualTo(11);
    }

    private List<Pod> live() {
        node.up(EIGHT);
        List<Pod> pods = List.of(node.pod("web", "c1"), node.pod("cart", "c2"));
        pods.forEach(Pod::add);
        return pods;
    }

    private void lose() throws IOException {
        node.kill();
        remove(node.stateDir());
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    /// Oldest first.
    private List<Path> segments() throws IOException {
        try (var files = Files.list(node.stateDir().resolve("journal"))) {
            return files.filter(Files::isDirectory).sorted().toList();
        }
    }
}
