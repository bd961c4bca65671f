package io.podledger.projections;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// What a fact changes, once it is known to follow from the ledger's state.
record LedgerChanges(Ledger ledger, long now) {
    void change(Event event) {
        switch (event) {
            case Event.DaemonStarted e -> started(e);
            case Event.DaemonStopped _, Event.StateHashed _ -> {}
            case Event.AddressReserved e -> reserved(e);
            case Event.NamespaceReplaced e -> replaced(e);
            case Event.AddRefused e -> note(Note.refusal(e.attachment(), e.pod(), e.reason()));
            case Event.AddRepeated e ->
                    alter(lease(e.attachment()), lease -> lease.addedAgain(now));
            case Event.Wired e -> move(lease(e.attachment()), LeaseState.WIRED);
            case Event.WiringFailed e ->
                    takeDown(lease(e.attachment()), ReleaseCause.WIRING_FAILED);
            case Event.AddAbandoned e -> takeDown(lease(e.attachment()), ReleaseCause.ABANDONED);
            case Event.DelReceived e -> deleted(e);
            case Event.Released e -> released(e);
            case Event.SandboxObserved e -> observed(e);
            case Event.SandboxVanished e -> {
                ledger.sandboxes.remove(e.id());
                ledger.lists = e.list();
            }
            case Event.AttachmentMissed e -> {
                ledger.lists = e.list();
                Missed missed = new Missed(now, e.list());
                alter(lease(e.attachment()), lease -> lease.miss(Optional.of(missed)));
            }
            case Event.AttachmentFound e ->
                    alter(lease(e.attachment()), lease -> lease.miss(Optional.empty()));
            case Event.AttachmentSwept e -> takeDown(lease(e.attachment()), ReleaseCause.SWEPT);
            case Event.OwnerChanged e -> ownerChanged(e);
            case Event.AttachmentSuspected e -> suspected(e);
            case Event.SuspicionCleared e -> cleared(e);
            case Event.RangeAdded e ->
                    ledger.pool.of(e.range().first()).addBlock(new Block(e.range(), number()), now);
            case Event.RangeRemoved e -> ledger.pool.of(e.first()).removeBlock(e.first(), now);
        }
    }

    private void started(Event.DaemonStarted e) {
        boolean rebooted = !e.bootId().equals(ledger.boot.id());
        if (rebooted) {
            ledger.fences.clear();
        }
        long since = rebooted ? now : ledger.boot.sinceMillis();
        ledger.boot = new Boot(e, since, now - e.bootMillis());
        ledger.pool.forget(now);
    }

    private void reserved(Event.AddressReserved e) {
        LeaseEntry lease = new LeaseEntry(e, number(), now);
        ledger.fences.remove(e.attachment());
        ledger.graves.remove(e.attachment());
        ledger.leases.put(lease);
        ledger.pool.take(lease);
        ledger.hash.add(lease);
    }

    private void replaced(Event.NamespaceReplaced e) {
        LeaseEntry lease = lease(e.attachment());
        ledger.hash.remove(lease);
        ledger.pool.count(lease, -1);
        lease.move(e, number(), now);
        ledger.pool.count(lease, 1);
        ledger.hash.add(lease);
    }

    private void deleted(Event.DelReceived e) {
        Optional<LeaseEntry> lease = ledger.leases.get(e.attachment());
        if (lease.filter(l -> l.state() != LeaseState.RELEASING).isPresent()) {
            takeDown(lease.get(), ReleaseCause.DEL);
        } else {
            note(Note.del(e.attachment()));
        }
        if (e.fencedUntilMillis() > now) {
            fence(e);
        }
    }

    private void fence(Event.DelReceived e) {
        while (ledger.fences.eldest().filter(f -> f.untilMillis() <= now).isPresent()) {
            ledger.fences.removeEldest();
        }
        ledger.fences.put(e.attachment(), new Fence(e.attachment(), e.fencedUntilMillis()));
    }

    private void released(Event.Released e) {
        LeaseEntry lease = lease(e.attachment());
        ledger.hash.remove(lease);
        ledger.leases.remove(lease);
        ledger.pool.count(lease, -1);
        long number = number();
        for (Holding holding : lease.fact().holdings()) {
            IpAddress address = holding.address();
            ledger.pool.of(address).rest(new Resting(address, e.coolingUntilMillis(), number));
        }
        ledger.graves.put(
                lease.attachment(),
                new Tombstone(lease.attachment(), lease.lease().hostDevice(), now, lease.number()));
    }

    private void observed(Event.SandboxObserved e) {
        Sandbox sandbox = e.sandbox();
        ledger.lists = e.list();
        long number =
                ledger.sandboxes
                        .get(sandbox.id())
                        .map(SandboxEntry::number)
                        .orElseGet(this::number);
        ledger.sandboxes.put(sandbox.id(), new SandboxEntry(sandbox, number));
    }

    private void ownerChanged(Event.OwnerChanged e) {
        LeaseEntry before = lease(e.before());
        LeaseEntry owner = lease(e.owner());
        for (LeaseEntry lease : List.of(before, owner)) {
            ledger.hash.remove(lease);
        }
        ledger.pool.count(before, -1);
        ledger.leases.handOn(before, owner);
        ledger.pool.take(owner);
        for (LeaseEntry lease : List.of(before, owner)) {
            ledger.hash.add(lease);
        }
    }

    private void suspected(Event.AttachmentSuspected e) {
        Optional<Suspect> before = ledger.suspect(e.hostDevice());
        List<IpAddress> all = new ArrayList<>(before.map(Suspect::addresses).orElse(List.of()));
        all.addAll(e.addresses());
        long since = before.map(Suspect::sinceMillis).orElse(now);
        Suspect suspect = new Suspect(e.hostDevice(), List.copyOf(all), since, e.why());
        for (IpAddress address : e.addresses()) {
            ledger.pool.of(address).take(address, suspect);
        }
        for (IpAddress address : all) {
            ledger.pool.of(address).withhold(address, suspect);
        }
        ledger.suspects.put(e.hostDevice(), suspect);
    }

    private void cleared(Event.SuspicionCleared e) {
        long number = number();
        Optional<Suspect> suspect = ledger.suspects.remove(e.hostDevice());
        for (IpAddress address : suspect.map(Suspect::addresses).orElse(List.of())) {
            Resting resting = new Resting(address, e.coolingUntilMillis(), number);
            ledger.pool.of(address).endSuspicion(resting);
        }
    }

    private void takeDown(LeaseEntry lease, ReleaseCause cause) {
        ledger.leases.fall(lease);
        become(lease, LeaseState.RELEASING, number(), cause);
    }

    private void move(LeaseEntry lease, LeaseState state) {
        become(lease, state, lease.order(), ReleaseCause.DEL);
    }

    /// What counts no address otherwise than before.
    private void alter(LeaseEntry lease, Consumer<LeaseEntry> change) {
        ledger.hash.remove(lease);
        change.accept(lease);
        ledger.hash.add(lease);
    }

    private void become(LeaseEntry lease, LeaseState state, long order, ReleaseCause cause) {
        ledger.hash.remove(lease);
        ledger.pool.count(lease, -1);
        lease.become(state, order, cause);
        ledger.pool.count(lease, 1);
        ledger.hash.add(lease);
    }

    private void note(String about) {
        ledger.notes.put(about, new Note(about, now));
    }

    private long number() {
        return ++ledger.numbers;
    }

    private LeaseEntry lease(Attachment attachment) {
        return ledger.leases.get(attachment).orElseThrow();
    }
}
