package io.podledger.ipamd.writer;

import io.podledger.ipamd.wiring.Wiring;
import io.podledger.ipamd.wiring.WiringException;
import io.podledger.projections.Command;
import io.podledger.projections.Holding;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// A kernel of maps: which device has which addresses. It can hold a call back, fail it, and says
/// what no kernel's caller may do.
final class FakeWiring implements Wiring {
    final Map<String, List<IpAddress>> devices = new ConcurrentHashMap<>();
    final Set<Integer> openNamespaces = ConcurrentHashMap.newKeySet();
    final Queue<String> calls = new ConcurrentLinkedQueue<>();
    final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final Map<String, CountDownLatch> gates = new ConcurrentHashMap<>();
    private final Map<String, Integer> failures = new ConcurrentHashMap<>();
    private final Set<String> busy = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean stubborn = new AtomicBoolean();
    private final AtomicBoolean breaking = new AtomicBoolean();

    /// Holds calls for what (`wire` or `unwire`) until the latch is counted down.
    CountDownLatch hold(String what) {
        CountDownLatch gate = new CountDownLatch(1);
        gates.put(what, gate);
        return gate;
    }

    /// The same, and an interrupt does not end it.
    CountDownLatch holdStubbornly(String what) {
        stubborn.set(true);
        return hold(what);
    }

    /// The next `times` calls for what fail.
    void fail(String what, int times) {
        failures.put(what, times);
    }

    /// The next call ends in an Error.
    void breakNext() {
        breaking.set(true);
    }

    boolean called(String call) {
        return calls.contains(call);
    }

    @Override
    public void wire(Lease lease, int namespace) throws WiringException {
        enter("wire", lease.hostDevice());
        try {
            if (!openNamespaces.contains(namespace)) {
                violations.add("wired into a closed namespace: " + lease);
            }
            List<IpAddress> addresses = addresses(lease);
            for (Map.Entry<String, List<IpAddress>> other : devices.entrySet()) {
                boolean shared = other.getValue().stream().anyMatch(addresses::contains);
                if (shared && !other.getKey().equals(lease.hostDevice())) {
                    violations.add(lease + " has an address of " + other.getKey());
                }
            }
            devices.put(lease.hostDevice(), addresses);
            failIfAsked("wire");
            if (!openNamespaces.contains(namespace)) {
                violations.add("the namespace was closed during wiring: " + lease);
            }
        } finally {
            busy.remove(lease.hostDevice());
        }
    }

    @Override
    public void unwire(Lease lease) throws WiringException {
        remove("unwire", lease.hostDevice());
    }

    @Override
    public void remove(String hostDevice, List<IpAddress> addresses) throws WiringException {
        remove("remove", hostDevice);
    }

    private void remove(String what, String device) throws WiringException {
        enter(what, device);
        try {
            failIfAsked(what);
            devices.remove(device);
        } finally {
            busy.remove(device);
        }
    }

    @Override
    public void check(Lease lease, int namespace) throws WiringException {
        if (!devices.containsKey(lease.hostDevice())) {
            throw new WiringException("there is no device " + lease.hostDevice());
        }
    }

    @Override
    public List<Command.Marked> marked() {
        List<Command.Marked> marked = new ArrayList<>();
        devices.forEach((name, addresses) -> marked.add(new Command.Marked(name, "m", addresses)));
        return marked;
    }

    private void enter(String what, String device) {
        if (!busy.add(device)) {
            violations.add("two orders at once for " + device);
        }
        calls.add(what + " " + device);
        CountDownLatch gate = gates.get(what);
        if (gate != null) {
            await(gate);
        }
        if (breaking.compareAndSet(true, false)) {
            busy.remove(device);
            throw new LinkageError("a mistake");
        }
    }

    private void await(CountDownLatch gate) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (true) {
            try {
                if (!gate.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    violations.add("held for 30 s");
                }
                return;
            } catch (InterruptedException e) {
                if (!stubborn.get()) {
                    Thread.currentThread().interrupt();
                    return;
                }
            }
        }
    }

    private void failIfAsked(String what) throws WiringException {
        Integer left = failures.computeIfPresent(what, (_, times) -> times - 1);
        if (left != null && left >= 0) {
            throw new WiringException("the kernel says no to " + what);
        }
    }

    private static List<IpAddress> addresses(Lease lease) {
        return lease.holdings().stream().map(Holding::address).toList();
    }
}
