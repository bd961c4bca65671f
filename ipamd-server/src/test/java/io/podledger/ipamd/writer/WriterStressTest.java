package io.podledger.ipamd.writer;

import static io.podledger.ipamd.writer.Node.identity;
import static io.podledger.ipamd.writer.Node.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.podledger.ipamd.writer.Node.Settings;
import io.podledger.projections.Ledger;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Many runtimes at once against a kernel that fails now and then, and a stop in the middle.
class WriterStressTest {
    private static final int THREADS = 8;
    private static final int COMMANDS = 250;
    private static final int CONTAINERS = 24;

    @TempDir Path folder;
    private final AtomicIntegerArray answers = new AtomicIntegerArray(THREADS * COMMANDS);
    private final AtomicInteger asked = new AtomicInteger();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void everyCallerIsAnsweredOnceAndTheKernelEqualsTheLedger(long seed) throws Exception {
        Settings settings = Settings.USUAL.cidr("10.9.0.0/27").patience(Duration.ofMillis(20));
        Node node = Node.open(folder, settings);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Random random = new Random(seed * 31 + i);
            threads.add(Thread.ofPlatform().start(() -> runtime(node, random)));
        }
        if (seed == 3) {
            until("half is through", () -> asked.get() > THREADS * COMMANDS / 2);
            node.writer.close(Duration.ofSeconds(30));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        node.close();

        for (int i = 0; i < THREADS * COMMANDS; i++) {
            assertThat(answers.get(i)).as("answers of call %d", i).isEqualTo(1);
        }
        assertThat(node.halted).hasNullValue();
        kernelEquals(node.ledger, node.wiring);
        assertThat(Node.replayed(folder).hash()).isEqualTo(node.ledger.hash());
    }

    private void runtime(Node node, Random random) {
        for (int i = 0; i < COMMANDS; i++) {
            int call = asked.getAndIncrement();
            String container = "c" + random.nextInt(CONTAINERS);
            switch (random.nextInt(8)) {
                case 0, 1, 2 ->
                        node.add(
                                container,
                                identity(1 + random.nextInt(2)),
                                _ -> answers.incrementAndGet(call));
                case 3 -> {
                    node.wiring.fail(random.nextBoolean() ? "wire" : "unwire", 1);
                    node.del(container).thenAccept(_ -> answers.incrementAndGet(call));
                }
                default -> node.del(container).thenAccept(_ -> answers.incrementAndGet(call));
            }
            node.bootMillis.incrementAndGet();
        }
    }

    /// Devices of leases that are being torn down may be there or not.
    private static void kernelEquals(Ledger ledger, FakeWiring kernel) {
        Set<String> must = new HashSet<>();
        Set<String> may = new HashSet<>();
        ledger.holders()
                .forEach(
                        holder -> {
                            String device = holder.lease().hostDevice();
                            may.add(device);
                            switch (holder.state()) {
                                case WIRED -> must.add(device);
                                case RESERVED, RELEASING -> {}
                            }
                        });
        assertThat(kernel.devices.keySet()).containsAll(must);
        assertThat(may).containsAll(kernel.devices.keySet());
    }
}
