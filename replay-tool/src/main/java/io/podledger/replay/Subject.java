package io.podledger.replay;

import io.podledger.projections.Attachment;
import io.podledger.projections.Event;
import io.podledger.projections.Holding;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Lease;
import io.podledger.projections.Ledger;
import io.podledger.projections.Pod;
import java.util.List;
import java.util.Optional;

/// Whom a fact is about. Most facts name the attachment alone: its pod and addresses are what the
/// ledger said before the fact.
record Subject(
        Optional<Attachment> attachment,
        Optional<Pod> pod,
        List<IpAddress> addresses,
        String hostDevice) {
    private static final Subject NOBODY =
            new Subject(Optional.empty(), Optional.empty(), List.of(), "");

    static Subject of(Entry entry, Optional<Ledger> before) {
        return entry.event().map(event -> of(event, before)).orElse(NOBODY);
    }

    private static Subject of(Event event, Optional<Ledger> before) {
        return switch (event) {
            case Event.AddressReserved e -> reserved(e);
            case Event.NamespaceReplaced e -> held(e.attachment(), Optional.empty(), before);
            case Event.AddRefused e -> held(e.attachment(), e.pod(), before);
            case Event.Wired e -> held(e.attachment(), Optional.empty(), before);
            case Event.WiringFailed e -> held(e.attachment(), Optional.empty(), before);
            case Event.AddAbandoned e -> held(e.attachment(), Optional.empty(), before);
            case Event.DelReceived e -> held(e.attachment(), e.pod(), before);
            case Event.Released e -> held(e.attachment(), Optional.empty(), before);
            case Event.SandboxObserved e -> pod(e.sandbox().pod());
            case Event.SandboxVanished e ->
                    before.flatMap(ledger -> ledger.sandbox(e.id()))
                            .map(sandbox -> pod(sandbox.pod()))
                            .orElse(NOBODY);
            case Event.AddRepeated e -> held(e.attachment(), Optional.empty(), before);
            case Event.AttachmentMissed e -> held(e.attachment(), Optional.empty(), before);
            case Event.AttachmentFound e -> held(e.attachment(), Optional.empty(), before);
            case Event.AttachmentSwept e -> held(e.attachment(), Optional.empty(), before);
            case Event.OwnerChanged e -> held(e.owner(), Optional.empty(), before);
            case Event.AttachmentSuspected e -> device(e.hostDevice(), e.addresses());
            case Event.SuspicionCleared e -> device(e.hostDevice(), List.of());
            case Event.DaemonStarted _,
                    Event.DaemonStopped _,
                    Event.RangeAdded _,
                    Event.RangeRemoved _,
                    Event.StateHashed _ ->
                    NOBODY;
        };
    }

    static List<IpAddress> addresses(List<Holding> holdings) {
        return holdings.stream().map(Holding::address).toList();
    }

    private static Subject reserved(Event.AddressReserved e) {
        return new Subject(
                Optional.of(e.attachment()), e.pod(), addresses(e.holdings()), e.hostDevice());
    }

    private static Subject held(
            Attachment attachment, Optional<Pod> said, Optional<Ledger> before) {
        Optional<Lease> lease = before.flatMap(ledger -> ledger.lease(attachment));
        return new Subject(
                Optional.of(attachment),
                said.or(() -> lease.flatMap(Lease::pod)),
                lease.map(l -> addresses(l.holdings())).orElse(List.of()),
                lease.map(Lease::hostDevice).orElse(""));
    }

    private static Subject pod(Pod pod) {
        return new Subject(Optional.empty(), Optional.of(pod), List.of(), "");
    }

    private static Subject device(String hostDevice, List<IpAddress> addresses) {
        return new Subject(Optional.empty(), Optional.empty(), addresses, hostDevice);
    }
}
