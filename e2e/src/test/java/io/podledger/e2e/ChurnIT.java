package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Pods come and go while the daemon is killed with -9 about every second, and plugins at random.
/// Each address has one holder all the time, and in the end the ledger, the kernel and what the
/// pods were told say the same.
@Tag("netns")
@Tag("ping")
class ChurnIT {
    private static final int KUBELETS = 4;
    private static final String[] POOL = {
        "--pool", "10.99.1.0/26", "--pool", "fd00:99::/122", "--cooldown", "2s"
    };

    private final Node node = new Node();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final Map<String, String> holders = new ConcurrentHashMap<>();
    private final List<Kubelet> kubelets = new ArrayList<>();
    private final ExecutorService threads = Executors.newFixedThreadPool(KUBELETS);

    @AfterEach
    void close() {
        stopping.set(true);
        threads.shutdownNow();
        node.close();
    }

    /// How the daemon is started: as one process of many, and as the first of a container, where
    /// every start has the same PID.
    static Stream<Arguments> starts() {
        return Stream.of(
                Arguments.argumentSet("as a process of the node", List.of()),
                Arguments.argumentSet(
                        "as PID 1",
                        List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")));
    }

    @ParameterizedTest
    @MethodSource("starts")
    void killsLoseDoubleAndLeaveNothing(List<String> before)
            throws InterruptedException, ExecutionException {
        node.up(before, POOL);
        List<Future<Void>> work = new ArrayList<>();
        for (int i = 0; i < KUBELETS; i++) {
            Kubelet kubelet =
                    new Kubelet(node, "k" + i, Kubelet.seed() * 31 + i, stopping, holders);
            kubelets.add(kubelet);
            work.add(threads.submit(kubelet));
        }
        int kills = killForAWhile(before, work);
        stopping.set(true);
        for (Future<Void> kubelet : work) {
            kubelet.get();
        }

        assertThat(kills).as("kills").isGreaterThan(1);
        atRest();
        survivorsHaveWhatTheyWereTold();
        endAll();
    }

    private int killForAWhile(List<String> before, List<Future<Void>> work) {
        Random random = new Random(Kubelet.seed());
        long end = System.nanoTime() + Kubelet.churn().toNanos();
        int kills = 0;
        while (System.nanoTime() < end && work.stream().noneMatch(Future::isDone)) {
            LockSupport.parkNanos(Duration.ofMillis(500 + random.nextInt(1_000)).toNanos());
            node.kill();
            kills++;
            node.up(before, POOL);
        }
        return kills;
    }

    /// What nobody waits for any more is finished: spooled DELs, teardowns, lost ADDs.
    private void atRest() {
        Await.until(
                Duration.ofSeconds(30),
                () -> "the ledger holds what the pods hold: " + node.logged(),
                () -> containersOfLedger().equals(Set.copyOf(holders.values())));
        Kernel.assertIsLedger(node);
        JournalFacts.assertSound(node);
    }

    private Set<String> containersOfLedger() {
        Set<String> containers = new TreeSet<>();
        node.state("holder").forEach(h -> containers.add(h.path("containerId").asText()));
        return containers;
    }

    private void survivorsHaveWhatTheyWereTold() {
        for (Kubelet kubelet : kubelets) {
            for (Kubelet.Live pod : kubelet.live()) {
                assertThat(Pod.addresses(pod.pod().add())).isEqualTo(pod.addresses());
                assertThat(pod.addresses()).allMatch(node::reaches);
            }
        }
    }

    private void endAll() {
        for (Kubelet kubelet : kubelets) {
            kubelet.live().forEach(kubelet::end);
        }
        atRest();
        Kernel.assertEmpty(node);
    }
}
