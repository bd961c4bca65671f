package io.podledger.projections;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// Whether a fact can follow from the ledger's state. A fact that cannot means that the log is not
/// what was written, or that deciding has a mistake: nothing may be built on it.
record LedgerChecks(Ledger ledger, long now) {
    /// @throws IllegalStateException if the fact cannot follow
    void check(Event event) {
        require(now >= ledger.millis, event, "ledger time goes back");
        switch (event) {
            case Event.DaemonStarted _, Event.DaemonStopped _, Event.AddRefused _ -> {}
            case Event.AddressReserved e -> reserved(e);
            case Event.NamespaceReplaced e -> replaced(e);
            case Event.Wired e -> inState(e, e.attachment(), LeaseState.RESERVED);
            case Event.AddRepeated e -> standing(e, e.attachment());
            case Event.WiringFailed e -> inState(e, e.attachment(), LeaseState.RESERVED);
            case Event.AddAbandoned e -> inState(e, e.attachment(), LeaseState.RESERVED);
            case Event.DelReceived e -> deleted(e);
            case Event.Released e -> released(e);
            case Event.SandboxObserved e -> observed(e);
            case Event.SandboxVanished e -> vanished(e);
            case Event.AttachmentMissed e -> {
                require(missed(e, e.attachment()).isEmpty(), e, "it is missed already");
                require(e.list() >= ledger.lists, e, "a later list was taken already");
            }
            case Event.AttachmentFound e ->
                    require(missed(e, e.attachment()).isPresent(), e, "it is not missed");
            case Event.AttachmentSwept e ->
                    require(missed(e, e.attachment()).isPresent(), e, "it is not missed");
            case Event.OwnerChanged e -> ownerChanged(e);
            case Event.AttachmentSuspected e -> suspected(e);
            case Event.SuspicionCleared e -> cleared(e);
            case Event.RangeAdded e -> rangeAdded(e);
            case Event.RangeRemoved e -> rangeRemoved(e);
            case Event.StateHashed e -> hashed(e);
        }
    }

    private void reserved(Event.AddressReserved e) {
        require(ledger.leases.get(e.attachment()).isEmpty(), e, "the attachment holds addresses");
        require(ledger.leases.size() < Ledger.ATTACHMENTS_MAX, e, "the ledger is full");
        require(ledger.fencedUntil(e.attachment(), now).isEmpty(), e, "the attachment is fenced");
        boolean owned = ledger.owner(e.shared().device()).isPresent();
        require(e.holdings().isEmpty() == e.shared().lost(), e, "no address");
        require(!e.shared().owned() || !owned, e, "the shared thing has an owner");
        require(!e.shared().lost() || owned, e, "the shared thing has no owner");
        require(e.holdings().size() <= 2, e, "more than an address of each family");
        boolean same =
                e.holdings().size() == 2
                        && e.holdings().get(0).address().v6() == e.holdings().get(1).address().v6();
        require(!same, e, "two addresses of one family");
        for (Holding holding : e.holdings()) {
            require(ledger.unheld(holding.address()), e, "an address is not to be had");
            FamilyPool family = ledger.pool.of(holding.address());
            boolean cools =
                    family.use(holding.address()).orElse(null) instanceof Resting resting
                            && resting.freeMillis() > now;
            require(!cools, e, "an address is cooling");
            require(uplinkFits(holding), e, "the uplink is not its range's");
        }
    }

    private boolean uplinkFits(Holding holding) {
        Range range =
                ledger.pool.of(holding.address()).block(holding.address()).orElseThrow().range();
        return range.table() == holding.table() && range.uplink().equals(holding.uplink());
    }

    private void replaced(Event.NamespaceReplaced e) {
        LeaseEntry lease = lease(e, e.attachment());
        require(lease.lease().mode() == Mode.ROUTED, e, "the attachment is not routed");
        require(lease.state() != LeaseState.RELEASING, e, "the attachment is being taken down");
    }

    private void ownerChanged(Event.OwnerChanged e) {
        LeaseEntry owner = standing(e, e.owner());
        LeaseEntry before = standing(e, e.before());
        SharedThing wanted = new SharedThing(e.sharedDevice(), false);
        require(owner.lease().shared().equals(wanted), e, "the owner has no share in it");
        require(
                before.lease().shared().equals(new SharedThing(e.sharedDevice(), true)),
                e,
                "it was not the former owner's");
    }

    private void deleted(Event.DelReceived e) {
        boolean held = ledger.leases.get(e.attachment()).isPresent();
        boolean releasing = held && lease(e, e.attachment()).state() == LeaseState.RELEASING;
        boolean follows =
                switch (e.verdict()) {
                    case RELEASING -> held && !releasing;
                    case REPEATED -> releasing || (!held && ledger.released(e.attachment()));
                    case UNKNOWN -> !held && !ledger.released(e.attachment());
                    case STALE -> e.owner().flatMap(ledger::holder).isPresent();
                };
        require(follows, e, "the verdict does not fit");
        require(e.fencedUntilMillis() == 0 || !held, e, "a fence against an attachment that holds");
        require(
                e.owner().isPresent() == (e.verdict() == DelVerdict.STALE)
                        && !e.owner().filter(e.attachment()::equals).isPresent(),
                e,
                "the owner does not fit");
    }

    private void released(Event.Released e) {
        inState(e, e.attachment(), LeaseState.RELEASING);
        require(e.coolingUntilMillis() >= now, e, "the cooldown has ended before it began");
    }

    private void observed(Event.SandboxObserved e) {
        Optional<Sandbox> known = ledger.sandbox(e.sandbox().id());
        require(!known.equals(Optional.of(e.sandbox())), e, "nothing has changed");
        require(
                known.isPresent() || ledger.sandboxes.size() < Ledger.SANDBOXES_MAX,
                e,
                "too many sandboxes");
        require(e.list() >= ledger.lists, e, "a later list was taken already");
    }

    private void vanished(Event.SandboxVanished e) {
        require(ledger.sandbox(e.id()).isPresent(), e, "the sandbox is not known");
        require(e.list() >= ledger.lists, e, "a later list was taken already");
    }

    private Optional<Missed> missed(Event event, Attachment attachment) {
        return standing(event, attachment).holder().missed();
    }

    private LeaseEntry standing(Event event, Attachment attachment) {
        LeaseEntry lease = lease(event, attachment);
        require(lease.state() != LeaseState.RELEASING, event, "the attachment is being taken down");
        return lease;
    }

    private void suspected(Event.AttachmentSuspected e) {
        require(!e.addresses().isEmpty(), e, "no address");
        require(!held(e.hostDevice()), e, "the device is a lease's");
        Set<IpAddress> distinct = new HashSet<>();
        for (IpAddress address : e.addresses()) {
            require(distinct.add(address), e, "an address twice");
            require(ledger.unheld(address), e, "an address is not to be had");
        }
    }

    private boolean held(String hostDevice) {
        return ledger.leases.values().stream()
                .anyMatch(lease -> lease.lease().hostDevice().equals(hostDevice));
    }

    private void cleared(Event.SuspicionCleared e) {
        require(ledger.suspect(e.hostDevice()).isPresent(), e, "the device is not suspected");
        require(e.coolingUntilMillis() >= now, e, "the cooldown has ended before it began");
    }

    private void rangeAdded(Event.RangeAdded e) {
        java.util.List<Range> ranges = new java.util.ArrayList<>(ledger.ranges());
        ranges.add(e.range());
        Range.fault(ranges).ifPresent(fault -> require(false, e, fault));
    }

    private void rangeRemoved(Event.RangeRemoved e) {
        require(
                ledger.pool
                        .of(e.first())
                        .block(e.first())
                        .map(Block::range)
                        .filter(r -> r.first().equals(e.first()))
                        .filter(r -> r.prefixLength() == e.prefixLength())
                        .isPresent(),
                e,
                "the pool has no such range");
    }

    private void hashed(Event.StateHashed e) {
        require(
                e.canonicalVersion() != Ledger.CANONICAL_VERSION || e.hash() == ledger.hash(),
                e,
                "the state's hash is %016x".formatted(ledger.hash()));
    }

    private void inState(Event event, Attachment attachment, LeaseState state) {
        LeaseState actual = lease(event, attachment).state();
        require(actual == state, event, "the attachment is not " + state);
    }

    private LeaseEntry lease(Event event, Attachment attachment) {
        return ledger.leases
                .get(attachment)
                .orElseThrow(() -> refusal(event, "the attachment holds nothing"));
    }

    private void require(boolean holds, Event event, String otherwise) {
        if (!holds) {
            throw refusal(event, otherwise);
        }
    }

    private IllegalStateException refusal(Event event, String why) {
        return new IllegalStateException(
                "%s cannot follow at ledger time %d ms: %s".formatted(event, now, why));
    }
}
