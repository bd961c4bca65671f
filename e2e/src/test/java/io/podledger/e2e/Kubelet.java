package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Starts and ends pods as a runtime does, whatever becomes of daemon and plugin: an ADD that
/// failed, or whose plugin was killed, gets a DEL; a DEL is repeated until it succeeds.
final class Kubelet implements Callable<Void> {
    private static final int PODS_MAX = 6;
    private static final int DELS_MAX = 100;

    /// A pod whose ADD was answered.
    record Live(Pod pod, List<String> addresses) {}

    private final Node node;
    private final String name;
    private final Random random;
    private final AtomicBoolean stopping;
    private final Map<String, String> holders;
    private final List<Live> live = new ArrayList<>();
    private int made;

    /// @param holders container of each address of all live pods of the node
    Kubelet(
            Node node,
            String name,
            long seed,
            AtomicBoolean stopping,
            Map<String, String> holders) {
        this.node = node;
        this.name = name;
        this.random = new Random(seed);
        this.stopping = stopping;
        this.holders = holders;
    }

    List<Live> live() {
        return live;
    }

    @Override
    public Void call() {
        while (!stopping.get()) {
            if (live.isEmpty() || (live.size() < PODS_MAX && random.nextInt(3) > 0)) {
                begin();
            } else if (random.nextInt(3) > 0) {
                end(live.remove(random.nextInt(live.size())));
            } else {
                again(live.get(random.nextInt(live.size())));
            }
        }
        return null;
    }

    /// Pod names come again with other containers, so that DELs are stale.
    private void begin() {
        Pod pod = node.pod(name + "-" + random.nextInt(3), name + "-" + made++);
        Shell.Result result = call(pod, "ADD");
        if (result.exit() != 0) {
            del(pod);
            return;
        }
        List<String> addresses = Pod.addresses(Pod.json(result.out()));
        for (String address : addresses) {
            assertThat(holders.putIfAbsent(address, pod.containerId()))
                    .as("%s is given to %s, and has a holder", address, pod.containerId())
                    .isNull();
        }
        live.add(new Live(pod, addresses));
    }

    private void again(Live pod) {
        Shell.Result result = call(pod.pod(), "ADD");
        if (result.exit() == 0) {
            assertThat(Pod.addresses(Pod.json(result.out()))).isEqualTo(pod.addresses());
        }
    }

    void end(Live pod) {
        pod.addresses().forEach(holders::remove);
        del(pod.pod());
    }

    private void del(Pod pod) {
        boolean gone = random.nextBoolean();
        if (gone) {
            pod.close();
        }
        for (int i = 0; i < DELS_MAX; i++) {
            if (call(pod, "DEL").exit() == 0) {
                pod.close();
                return;
            }
        }
        throw new AssertionError("no DEL of " + pod.containerId() + " succeeds");
    }

    /// One call in four is killed, at any moment.
    private Shell.Result call(Pod pod, String verb) {
        Shell.Running plugin = pod.start(verb);
        if (random.nextInt(4) == 0) {
            try {
                plugin.process().waitFor(random.nextInt(40_000), TimeUnit.MICROSECONDS);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            plugin.kill();
        }
        return plugin.result();
    }

    /// The seconds that a churn lasts, `-Dpodledger.churn.seconds`.
    static Duration churn() {
        return Duration.ofSeconds(Integer.getInteger("podledger.churn.seconds", 20));
    }

    /// What makes one churn like another, `-Dpodledger.churn.seed`.
    static long seed() {
        return Long.getLong("podledger.churn.seed", 1);
    }
}
