package io.podledger.projections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// A ledger with a decider and a clock that a test moves: given facts, when a command, then facts.
/// Every fact goes through the codec, and the invariants are checked after each.
final class World {
    static final long COOLDOWN_MILLIS = 120_000;
    static final String BOOT = "boot-1";

    /// CLOCK_BOOTTIME lags this far behind ledger time in the first boot.
    static final long OFFSET_MILLIS = 500;

    Ledger ledger = new Ledger();
    final Decider decider = new Decider(COOLDOWN_MILLIS);
    long now = 1_000;
    Outcome outcome = new Outcome.Nothing("nothing was asked");
    boolean durable;

    /// A daemon that was just started with these ranges.
    static World of(String... ranges) {
        World world = new World();
        world.start(BOOT, ranges);
        return world;
    }

    List<Event> start(String bootId, String... ranges) {
        return when(new Command.Start(started(bootId), ranges(ranges)));
    }

    Event.DaemonStarted started(String bootId) {
        return new Event.DaemonStarted("0.1", bootId, now - OFFSET_MILLIS, "machine", "digest");
    }

    /// `10.0.0.0/30` or `10.0.0.0/30@eth1`, which leaves by table 101.
    static List<Range> ranges(String... texts) {
        return Stream.of(texts).map(World::range).toList();
    }

    static Range range(String text) {
        String[] parts = text.split("[/@]", 3);
        boolean up = parts.length == 3;
        return new Range(
                IpAddress.parse(parts[0]),
                Integer.parseInt(parts[1]),
                up ? parts[2] : "",
                up ? 101 : 0);
    }

    /// Decides and applies. The outcome is kept.
    List<Event> when(Command command) {
        Decision decision = decider.decide(ledger, command, now);
        outcome = decision.outcome();
        durable = decision.durable();
        decision.events().forEach(this::given);
        return decision.events();
    }

    void given(Event event) {
        ledger.apply(now, EventCodec.decode(EventCodec.type(event), EventCodec.encode(event)));
        assertThat(Invariants.violations(ledger, now)).isEmpty();
    }

    static Attachment attachment(String containerId) {
        return new Attachment("net", containerId, "eth0");
    }

    static Optional<Pod> pod(String name) {
        return Optional.of(new Pod("default", name, "uid-" + name));
    }

    static NamespaceIdentity namespace(long inode) {
        return new NamespaceIdentity(4, inode, BOOT);
    }

    static Command.Add add(String containerId, String pod) {
        return add(containerId, pod, 100);
    }

    static Command.Add add(String containerId, String pod, long inode) {
        return new Command.Add(
                attachment(containerId),
                pod(pod),
                true,
                Mode.ROUTED,
                namespace(inode),
                "/run/netns/" + containerId,
                device(containerId),
                1_500);
    }

    /// An ADD of a sandbox of a pod whose sandboxes share a host device.
    static Command.Add sharing(String containerId, String pod) {
        Command.Add add = add(containerId, pod);
        return new Command.Add(
                add.attachment(),
                add.pod(),
                add.runtimeManaged(),
                add.mode(),
                add.namespace(),
                add.netnsPath(),
                add.hostDevice(),
                add.mtu(),
                "shr-" + pod);
    }

    static Command.Add ipam(String containerId) {
        return new Command.Add(
                attachment(containerId),
                Optional.empty(),
                false,
                Mode.IPAM,
                NamespaceIdentity.NONE,
                "",
                "",
                0);
    }

    static Command.Del del(String containerId, String pod) {
        return new Command.Del(
                attachment(containerId), pod(pod), device(containerId), Optional.empty());
    }

    static Command.Del spooled(String containerId, String pod, String bootId, long bootMillis) {
        return new Command.Del(
                attachment(containerId),
                pod(pod),
                device(containerId),
                Optional.of(new Command.SpoolTime(bootId, bootMillis)));
    }

    static String device(String containerId) {
        return "eni" + containerId;
    }

    /// ADD, wired.
    List<IpAddress> running(String containerId, String pod) {
        when(add(containerId, pod));
        when(new Command.WiringDone(attachment(containerId), order(containerId)));
        return addresses(containerId);
    }

    /// DEL, taken down, released.
    void gone(String containerId, String pod) {
        when(del(containerId, pod));
        when(new Command.TeardownDone(attachment(containerId), order(containerId)));
    }

    Holder holder(String containerId) {
        return ledger.holder(attachment(containerId)).orElseThrow();
    }

    long order(String containerId) {
        return holder(containerId).order();
    }

    List<IpAddress> addresses(String containerId) {
        return holder(containerId).lease().holdings().stream().map(Holding::address).toList();
    }

    List<String> texts(String containerId) {
        return addresses(containerId).stream().map(IpAddress::toString).toList();
    }

    /// So many ADDs of other pods.
    List<String> fill(int attachments) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < attachments; i++) {
            ids.add("fill" + i);
            running("fill" + i, "filler" + i);
        }
        return ids;
    }
}
