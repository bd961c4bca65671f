package io.podledger.replay;

import io.podledger.projections.Attachment;
import io.podledger.projections.Event;
import io.podledger.projections.Holder;
import io.podledger.projections.Ledger;
import io.podledger.projections.Pod;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Collects what the journal says about one pod, sandbox by sandbox, the newest so many.
final class PodLives implements Story.Listener {
    static final int LIVES_MAX = 1_000;

    private final Pod pod;
    private final Deque<PodLife> lives = new ArrayDeque<>();
    private final Map<Attachment, PodLife> newest = new LinkedHashMap<>();
    private boolean begun;
    private int leftOut;

    PodLives(Pod pod) {
        this.pod = pod;
    }

    @Override
    public boolean entry(Entry entry, Optional<Ledger> before) {
        if (!begun) {
            begun = true;
            before.ifPresent(this::inherit);
        }
        Subject subject = Subject.of(entry, before);
        subject.attachment()
                .filter(a -> newest.containsKey(a) || isPod(subject.pod()))
                .ifPresent(a -> life(a, entry.event().orElseThrow()).add(entry));
        return true;
    }

    private void inherit(Ledger ledger) {
        for (Holder holder : ledger.holders()) {
            if (isPod(holder.lease().pod())) {
                begin(
                        new PodLife(
                                holder.lease().attachment(),
                                holder.lease().pod().orElse(pod),
                                Subject.addresses(holder.lease().holdings()),
                                true));
            }
        }
    }

    private boolean isPod(Optional<Pod> other) {
        return other.filter(p -> Filter.same(p, pod)).isPresent();
    }

    private PodLife life(Attachment attachment, Event event) {
        PodLife life = newest.get(attachment);
        boolean another = life != null && life.over() && event instanceof Event.AddressReserved;
        return life == null || another
                ? begin(new PodLife(attachment, pod, List.of(), false))
                : life;
    }

    private PodLife begin(PodLife life) {
        if (lives.size() == LIVES_MAX) {
            PodLife oldest = lives.removeFirst();
            newest.remove(oldest.attachment(), oldest);
            leftOut++;
        }
        lives.addLast(life);
        newest.put(life.attachment(), life);
        return life;
    }

    Collection<PodLife> lives() {
        return lives;
    }

    /// How many older ones were forgotten.
    int leftOut() {
        return leftOut;
    }
}
