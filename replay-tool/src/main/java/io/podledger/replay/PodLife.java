package io.podledger.replay;

import io.podledger.projections.Attachment;
import io.podledger.projections.Event;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What is known of one sandbox's interface: from its ADD to what released it, and DELs after that.
final class PodLife {
    /// A sandbox has a handful of facts. A runtime that repeats a DEL for ever has no more to say.
    static final int FACTS_MAX = 100;

    private final Attachment attachment;
    private final boolean inherited;
    private Pod pod;
    private List<IpAddress> addresses;
    private final List<Entry> facts = new ArrayList<>();
    private Optional<Entry> from = Optional.empty();
    private Optional<Entry> to = Optional.empty();
    private int leftOut;

    /// @param inherited it held its addresses before the journal's oldest record
    PodLife(Attachment attachment, Pod pod, List<IpAddress> addresses, boolean inherited) {
        this.attachment = attachment;
        this.pod = pod;
        this.addresses = addresses;
        this.inherited = inherited;
    }

    void add(Entry entry) {
        Event event = entry.event().orElseThrow();
        if (event instanceof Event.AddressReserved reserved) {
            reserved(reserved, entry);
        }
        if (event instanceof Event.Released) {
            to = Optional.of(entry);
        }
        if (facts.size() < FACTS_MAX) {
            facts.add(entry);
        } else {
            leftOut++;
        }
    }

    private void reserved(Event.AddressReserved e, Entry entry) {
        from = Optional.of(entry);
        addresses = Subject.addresses(e.holdings());
        pod = e.pod().orElse(pod);
    }

    Attachment attachment() {
        return attachment;
    }

    Pod pod() {
        return pod;
    }

    List<IpAddress> addresses() {
        return addresses;
    }

    /// The ADD, if the journal still has it.
    Optional<Entry> from() {
        return from;
    }

    /// What released it, if anything did.
    Optional<Entry> to() {
        return to;
    }

    boolean inherited() {
        return inherited;
    }

    /// Its addresses are gone: another ADD begins another life.
    boolean over() {
        return to.isPresent();
    }

    List<Entry> facts() {
        return facts;
    }

    int leftOut() {
        return leftOut;
    }
}
