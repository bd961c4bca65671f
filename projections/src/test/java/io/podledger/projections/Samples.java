package io.podledger.projections;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// One event of every kind, and more where kinds have variants.
final class Samples {
    private Samples() {}

    private static final Attachment ATTACHMENT = new Attachment("pods", "0a1b", "eth0");
    private static final Pod POD = new Pod("default", "web-0", "u-1");
    private static final Event.AddressReserved RESERVED =
            new Event.AddressReserved(
                    ATTACHMENT,
                    Optional.of(POD),
                    true,
                    Mode.ROUTED,
                    List.of(
                            new Holding(IpAddress.parse("10.99.1.64"), "eth1", 101),
                            new Holding(IpAddress.parse("fd00::1"), "", 0)),
                    new NamespaceIdentity(4, 4_026_532_001L, "boot-1"),
                    "/run/netns/a",
                    "eni0a1b",
                    9_001);

    static List<Event> events() {
        return Stream.of(process(), requests(), sandboxes(), rest()).flatMap(List::stream).toList();
    }

    private static List<Event> process() {
        return List.of(
                new Event.DaemonStarted("0.1", "boot-1", 5_000, "machine", "digest"),
                new Event.DaemonStopped("SIGTERM"));
    }

    private static List<Event> requests() {
        return List.of(
                RESERVED,
                new Event.AddressReserved(
                        ATTACHMENT,
                        Optional.empty(),
                        false,
                        Mode.IPAM,
                        List.of(new Holding(IpAddress.parse("0.0.0.1"), "", 0)),
                        NamespaceIdentity.NONE,
                        "",
                        "",
                        0),
                new Event.NamespaceReplaced(
                        ATTACHMENT, new NamespaceIdentity(4, 7, "boot-2"), "/run/netns/b"),
                new Event.AddRefused(
                        ATTACHMENT, Optional.of(POD), Refusal.POOL_EMPTY, "no free IPv4 address"),
                new Event.Wired(ATTACHMENT),
                new Event.AddRepeated(ATTACHMENT),
                new Event.WiringFailed(ATTACHMENT, "ENOSPC"),
                new Event.AddAbandoned(ATTACHMENT, "no device"),
                new Event.DelReceived(
                        ATTACHMENT,
                        Optional.of(POD),
                        DelVerdict.STALE,
                        Optional.of(new Attachment("pods", "2c3d", "eth0")),
                        true,
                        0),
                new Event.DelReceived(
                        ATTACHMENT,
                        Optional.empty(),
                        DelVerdict.UNKNOWN,
                        Optional.empty(),
                        false,
                        305_000),
                new Event.Released(ATTACHMENT, ReleaseCause.DEL, "gone", 125_000),
                shared(),
                new Event.DelReceived(
                        ATTACHMENT,
                        Optional.of(POD),
                        DelVerdict.STALE,
                        Optional.of(new Attachment("pods", "2c3d", "eth0")),
                        false,
                        0,
                        "eni9f8e"));
    }

    private static Event.AddressReserved shared() {
        return new Event.AddressReserved(
                ATTACHMENT,
                Optional.of(POD),
                true,
                Mode.ROUTED,
                RESERVED.holdings(),
                RESERVED.namespace(),
                "/run/netns/a",
                "eni0a1b",
                9_001,
                new SharedThing("eni9f8e", true));
    }

    private static List<Event> sandboxes() {
        return List.of(
                new Event.SandboxObserved(
                        new Sandbox("0a1b", POD, 2, SandboxState.NOT_READY, 1_700_000_000_000L),
                        SandboxSource.LIST,
                        7),
                new Event.SandboxVanished("0a1b", SandboxSource.STATUS, 8),
                new Event.AttachmentMissed(ATTACHMENT, 9),
                new Event.AttachmentFound(ATTACHMENT, "list 10 has it"),
                new Event.AttachmentSwept(ATTACHMENT, "not in lists 9 to 11"),
                new Event.OwnerChanged(
                        "eni9f8e", new Attachment("pods", "2c3d", "eth0"), ATTACHMENT));
    }

    private static List<Event> rest() {
        return List.of(
                new Event.AttachmentSuspected(
                        "eni0a1b",
                        List.of(IpAddress.parse("10.99.1.65"), IpAddress.parse("fd00::2")),
                        "unknown"),
                new Event.SuspicionCleared("eni0a1b", "gone", 125_000),
                new Event.RangeAdded(new Range(IpAddress.parse("10.99.1.64"), 27, "eth1", 101)),
                new Event.RangeAdded(new Range(IpAddress.parse("fd00::"), 64, "", 0)),
                new Event.RangeRemoved(IpAddress.parse("10.99.1.64"), 27),
                new Event.StateHashed(1, -2));
    }
}
