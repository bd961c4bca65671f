package io.podledger.projections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/// A node in a few hundred steps: pods come and go, wiring works, fails and is late, the process is
/// killed and loses what was not durable, the node reboots, the pool changes, history is lost. The
/// kernel is a map from devices to the addresses that are routed to them. After every step what was
/// promised is compared with what the ledger says.
final class Simulation {
    /// A fact in the log, and the state hash after it.
    record Logged(long millis, int type, byte[] bytes, long hash) {}

    private static final long COOLDOWN_MILLIS = 60_000;
    private static final Sweep SWEEP = new Sweep(5_000, 20_000);
    private static final List<List<Range>> POOLS =
            List.of(
                    World.ranges("10.0.0.0/29", "fd00::/125"),
                    World.ranges("10.0.0.0/29", "10.0.1.0/30@eth1", "fd00::/125"),
                    World.ranges("10.0.1.0/30@eth2", "10.0.0.0/28", "fd00::/125"),
                    World.ranges("10.0.0.0/28"));

    private final Random random;
    private final SimulatedCalls calls;
    private final SimulatedRuntime runtime;
    final SimulatedFacts facts = new SimulatedFacts(COOLDOWN_MILLIS);
    private final Decider decider = new Decider(COOLDOWN_MILLIS, SWEEP);
    final List<Logged> log = new ArrayList<>();
    Ledger ledger = new Ledger();
    private int durable;
    private long now = 1_000;
    private long bootMillis = 500;
    private int boots = 1;
    private int pool;

    private final Map<String, List<IpAddress>> kernel = new LinkedHashMap<>();
    private final Deque<Outcome> orders = new ArrayDeque<>();
    private final List<Command> late = new ArrayList<>();
    private final List<Command.Del> spool = new ArrayList<>();

    int grants;

    Simulation(long seed) {
        random = new Random(seed);
        calls = new SimulatedCalls(random);
        runtime = new SimulatedRuntime(random);
        start();
    }

    void step() {
        pass(random.nextInt(4_000));
        switch (random.nextInt(44)) {
            case 0, 1, 2, 3, 4, 5, 6, 7, 8 -> add(calls.add(boot()));
            case 9, 10, 11 -> calls.any(runtime.everAdded).ifPresent(this::add);
            case 12 ->
                    calls.any(runtime.everAdded)
                            .ifPresent(add -> add(calls.elsewhere(add, boot())));
            case 13, 14, 15, 16, 17, 18, 19 ->
                    calls.any(runtime.promised.keySet()).ifPresent(this::del);
            case 20, 21 -> calls.any(runtime.everAdded).ifPresent(this::del);
            case 22 -> del(calls.add(boot()));
            case 23 -> calls.any(late).ifPresent(this::ask);
            case 24 -> kill(false);
            case 25 -> kill(random.nextInt(3) == 0);
            case 26 -> restartOverSpool();
            case 27 -> pass(COOLDOWN_MILLIS / 2);
            case 28 -> ask(new Command.Hash());
            case 29 -> compare();
            case 30 -> changePool();
            case 31 -> loseHistory();
            case 32, 33, 34 -> ask(runtime.list(ledger));
            case 35 -> loseDel();
            default -> carryOut();
        }
        check();
    }

    private void pass(long millis) {
        now += millis;
        bootMillis += millis;
    }

    // The runtime's side

    /// A DEL that was spooled comes before any later command of its attachment.
    private void add(Command.Add add) {
        if (spool.stream().anyMatch(del -> del.attachment().equals(add.attachment()))) {
            drain();
        }
        runtime.everAdded.add(add);
        runtime.waiting.put(add.attachment(), add);
        PoolCounts before = ledger.counts(now);
        ask(add);
        if (last instanceof Outcome.Refused) {
            runtime.waiting.remove(add.attachment());
            assertThat(ledger.counts(now)).isEqualTo(before);
        }
    }

    /// A DEL leaves every other attachment as it was.
    private void del(Command.Add add) {
        runtime.promised.keySet().removeIf(other -> other.attachment().equals(add.attachment()));
        runtime.waiting.remove(add.attachment());
        if (random.nextInt(10) == 0) {
            spool.add(
                    SimulatedCalls.del(
                            add, Optional.of(new Command.SpoolTime(boot(), bootMillis))));
            return;
        }
        drain();
        Map<Attachment, Holder> others = holders(add.attachment());
        ask(SimulatedCalls.del(add, Optional.empty()));
        assertThat(holders(add.attachment())).isEqualTo(others);
    }

    private Map<Attachment, Holder> holders(Attachment except) {
        Map<Attachment, Holder> holders = new HashMap<>();
        ledger.holders().forEach(holder -> holders.put(holder.lease().attachment(), holder));
        holders.remove(except);
        return holders;
    }

    private void drain() {
        spool.forEach(this::ask);
        spool.clear();
    }

    // The daemon's side

    private Outcome last = new Outcome.Nothing("");

    private void ask(Command command) {
        Decision decision = decider.decide(ledger, command, now);
        for (Event event : decision.events()) {
            facts.check(event, ledger, kernel, now);
            byte[] bytes = EventCodec.encode(event);
            ledger.apply(now, EventCodec.decode(EventCodec.type(event), bytes));
            log.add(new Logged(now, EventCodec.type(event), bytes, ledger.hash()));
        }
        if (decision.durable() || random.nextInt(3) == 0) {
            durable = log.size();
        }
        last = decision.outcome();
        perform(decision.outcome());
    }

    private void perform(Outcome outcome) {
        switch (outcome) {
            case Outcome.Wire _, Outcome.Unwire _, Outcome.UnwireSuspect _, Outcome.Failed _ ->
                    orders.add(outcome);
            case Outcome.Granted granted -> grant(granted.lease());
            case Outcome.Recheck(var missed) -> missed.forEach(m -> ask(runtime.asked(m)));
            case Outcome.Refused _, Outcome.Deleted _, Outcome.Nothing _ -> {}
        }
    }

    private void grant(Lease lease) {
        Command.Add add = runtime.waiting.remove(lease.attachment());
        if (add != null) {
            grants++;
            runtime.promised.keySet().removeIf(p -> p.attachment().equals(add.attachment()));
            runtime.promised.put(add, addresses(lease));
        }
    }

    private static Set<IpAddress> addresses(Lease lease) {
        Set<IpAddress> addresses = new HashSet<>();
        lease.holdings().forEach(holding -> addresses.add(holding.address()));
        return addresses;
    }

    private void carryOut() {
        if (!orders.isEmpty()) {
            carryOut(orders.removeFirst());
        }
    }

    private void carryOut(Outcome order) {
        boolean works = random.nextInt(6) > 0;
        switch (order) {
            case Outcome.Wire wire -> wire(wire, works);
            case Outcome.Unwire unwire -> unwire(unwire.lease(), unwire.order(), works);
            case Outcome.Failed failed -> unwire(failed.lease(), failed.order(), works);
            case Outcome.UnwireSuspect suspect -> {
                kernel.remove(suspect.hostDevice());
                ask(new Command.SuspectGone(suspect.hostDevice(), "gone"));
            }
            case Outcome.Granted _,
                    Outcome.Refused _,
                    Outcome.Deleted _,
                    Outcome.Recheck _,
                    Outcome.Nothing _ ->
                    throw new IllegalStateException("no order: " + order);
        }
    }

    /// One order at a time for an attachment: one that is not the newest is not begun.
    private void wire(Outcome.Wire wire, boolean works) {
        Lease lease = wire.lease();
        if (ledger.holder(lease.attachment()).filter(h -> h.order() == wire.order()).isPresent()) {
            kernel.put(lease.hostDevice(), List.copyOf(addresses(lease)));
        }
        Command done =
                works
                        ? new Command.WiringDone(lease.attachment(), wire.order())
                        : new Command.WiringBroke(lease.attachment(), wire.order(), "broke");
        late.add(done);
        ask(done);
    }

    private void unwire(Lease lease, long order, boolean works) {
        boolean newest =
                ledger.holder(lease.attachment()).filter(h -> h.order() == order).isPresent();
        if (!works) {
            orders.add(new Outcome.Unwire(lease, order));
            return;
        }
        if (newest) {
            kernel.remove(lease.hostDevice());
        }
        Command done = new Command.TeardownDone(lease.attachment(), order);
        late.add(done);
        ask(done);
    }

    // Faults

    private void kill(boolean reboot) {
        int kept = durable + random.nextInt(log.size() - durable + 1);
        log.subList(kept, log.size()).clear();
        durable = log.size();
        orders.clear();
        runtime.waiting.clear();
        late.clear();
        ledger = folded(log);
        if (reboot) {
            boots++;
            kernel.clear();
            runtime.promised.clear();
            bootMillis = random.nextInt(2_000);
        }
        restore();
        start();
    }

    /// Through a snapshot every other time.
    private void restore() {
        if (random.nextBoolean()) {
            ledger = Ledger.restore(ledger.snapshot());
        }
    }

    private void restartOverSpool() {
        calls.any(runtime.promised.keySet()).ifPresent(this::del);
        kill(random.nextInt(4) == 0);
    }

    static Ledger folded(List<Logged> log) {
        Ledger ledger = new Ledger();
        log.forEach(l -> ledger.apply(l.millis(), EventCodec.decode(l.type(), l.bytes())));
        return ledger;
    }

    private void start() {
        Event.DaemonStarted facts =
                new Event.DaemonStarted("0.1", boot(), bootMillis, "machine", "digest");
        ask(new Command.Start(facts, POOLS.get(pool)));
        compare();
        drain();
        for (Holder holder : ledger.holders()) {
            recover(holder);
        }
    }

    private void recover(Holder holder) {
        Lease lease = holder.lease();
        switch (holder.state()) {
            case RESERVED -> {
                if (!kernel.containsKey(lease.hostDevice())) {
                    ask(new Command.Abandon(lease.attachment(), "nothing in the kernel"));
                }
            }
            case WIRED -> {}
            case RELEASING -> orders.add(new Outcome.Unwire(lease, holder.order()));
        }
    }

    private void compare() {
        List<Command.Marked> marked = new ArrayList<>();
        kernel.forEach((device, list) -> marked.add(new Command.Marked(device, "m", list)));
        ask(new Command.Compare(marked));
    }

    /// The sandbox goes, and nobody says so.
    private void loseDel() {
        calls.any(runtime.promised.keySet()).ifPresent(runtime.promised::remove);
    }

    /// Lets the runtime list what lives, for as long as it takes. Afterwards nothing else may hold
    /// anything.
    Set<Attachment> leaksAtRest() {
        drain();
        for (int i = 0; i < 100 && runtime.promised.isEmpty(); i++) {
            pass(COOLDOWN_MILLIS);
            add(calls.add(boot()));
            carryOut();
        }
        for (int i = 0; i < 4; i++) {
            pass(SWEEP.floorMillis());
            ask(runtime.listOfTheLiving(ledger));
            for (int j = 0; j < 1_000 && !orders.isEmpty(); j++) {
                carryOut();
            }
            check();
        }
        Set<Attachment> holding = new HashSet<>();
        ledger.holders().forEach(holder -> holding.add(holder.lease().attachment()));
        holding.removeIf(runtime::alive);
        return holding;
    }

    private void changePool() {
        pool = random.nextInt(POOLS.size());
        kill(false);
    }

    /// The state folder is wiped. What lives in the kernel stays, and nobody may get its addresses;
    /// what another plugin was given is forgotten.
    private void loseHistory() {
        if (random.nextBoolean()) {
            log.clear();
            durable = 0;
            ledger = new Ledger();
            spool.clear();
            facts.forget();
            runtime.promised.clear();
            kill(false);
        }
    }

    // What must hold

    private void check() {
        assertThat(Invariants.violations(ledger, now)).isEmpty();
        runtime.promised.forEach(
                (add, addresses) ->
                        assertThat(ledger.lease(add.attachment()).map(Simulation::addresses))
                                .as("what %s was promised", add.attachment())
                                .contains(addresses));
    }

    private String boot() {
        return "boot-" + boots;
    }
}
