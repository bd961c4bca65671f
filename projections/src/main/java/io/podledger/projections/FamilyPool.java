package io.podledger.projections;

import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/// The addresses of one family.
///
/// An address that was never used is nowhere but behind its block's frontier. One that was used is
/// in `uses` for as long as its range is there: held, withheld, or resting. What rests waits in
/// `cooling` until its time has come, and then in `rested`; both are in the order in which the
/// addresses become free. Where a range was removed, what is held or cooling stays in `uses` as an
/// orphan; an orphan at rest is given to nobody and forgotten when the pool next changes.
final class FamilyPool {
    private final StateHash hash;
    private final Map<IpAddress, Use> uses = new HashMap<>();
    private final TreeMap<IpAddress, Block> blocks = new TreeMap<>();
    private final LinkedHashSet<Block> fresh = new LinkedHashSet<>();
    private final TreeSet<Resting> cooling = new TreeSet<>();
    private final LinkedHashMap<IpAddress, Resting> rested = new LinkedHashMap<>();

    /// Nothing in `cooling` is free before this.
    private long ripeMillis = Long.MAX_VALUE;

    private int reserved;
    private int wired;
    private int releasing;
    private int suspect;
    private int neverUsed;

    FamilyPool(StateHash hash) {
        this.hash = hash;
    }

    // Ranges

    void addBlock(Block block, long millis) {
        forget(millis);
        blocks.put(block.range().first(), block);
        for (IpAddress address : uses.keySet()) {
            if (block.range().contains(address)) {
                block.use();
            }
        }
        neverUsed += block.neverUsed();
        fresh.add(block);
        settle(block);
        hash.add(block);
    }

    void removeBlock(IpAddress first, long millis) {
        Block block = blocks.remove(first);
        if (block != null) {
            neverUsed -= block.neverUsed();
            fresh.remove(block);
            hash.remove(block);
        }
        forget(millis);
    }

    /// Drops orphans that have rested enough.
    void forget(long millis) {
        for (Iterator<Use> all = uses.values().iterator(); all.hasNext(); ) {
            if (all.next() instanceof Resting resting
                    && resting.freeMillis() <= millis
                    && block(resting.address()).isEmpty()) {
                all.remove();
                wake(resting);
            }
        }
    }

    Optional<Block> block(IpAddress address) {
        Map.Entry<IpAddress, Block> below = blocks.floorEntry(address);
        return below == null
                ? Optional.empty()
                : Optional.of(below.getValue()).filter(b -> b.range().contains(address));
    }

    Collection<Block> blocks() {
        return blocks.values();
    }

    // Addresses

    Optional<Use> use(IpAddress address) {
        return Optional.ofNullable(uses.get(address));
    }

    Collection<Map.Entry<IpAddress, Use>> uses() {
        return uses.entrySet();
    }

    /// The address that is to be given next: the first that was never used, else the one that is
    /// free longest.
    Optional<Holding> next(long now) {
        if (!fresh.isEmpty()) {
            Block block = fresh.getFirst();
            return Optional.of(holding(block, block.frontier()));
        }
        if (!rested.isEmpty()) {
            return holding(rested.firstEntry().getKey());
        }
        return cooling.headSet(ripe(now)).stream()
                .flatMap(resting -> holding(resting.address()).stream())
                .findFirst();
    }

    /// The address as it would be held, if it is in a range.
    Optional<Holding> holding(IpAddress address) {
        return block(address).map(block -> holding(block, address));
    }

    private static Holding holding(Block block, IpAddress address) {
        return new Holding(address, block.range().uplink(), block.range().table());
    }

    /// Puts the address, which nobody holds, to a use.
    void take(IpAddress address, Use use) {
        Use before = uses.put(address, use);
        if (before instanceof Resting resting) {
            wake(resting);
        } else if (before == null) {
            block(address).ifPresent(this::useFresh);
        }
        if (use instanceof Suspect) {
            suspect++;
        }
    }

    private void wake(Resting resting) {
        if (rested.remove(resting.address()) == null) {
            cooling.remove(resting);
        }
        hash.remove(resting);
    }

    /// Another description of the suspicion under which the address is withheld already.
    void withhold(IpAddress address, Suspect suspicion) {
        uses.put(address, suspicion);
    }

    void endSuspicion(Resting resting) {
        suspect--;
        rest(resting);
    }

    /// Gives an address back that someone held.
    void rest(Resting resting) {
        uses.put(resting.address(), resting);
        cool(resting);
    }

    private void cool(Resting resting) {
        cooling.add(resting);
        ripeMillis = Math.min(ripeMillis, resting.freeMillis());
        hash.add(resting);
    }

    /// Puts an address to the use that a snapshot shows.
    void restore(IpAddress address, Use use) {
        take(address, use);
        if (use instanceof Resting resting) {
            cool(resting);
        }
    }

    private void useFresh(Block block) {
        block.use();
        neverUsed--;
        settle(block);
    }

    /// Moves the frontier past what is in use.
    private void settle(Block block) {
        while (!block.exhausted() && uses.containsKey(block.frontier())) {
            block.moveFrontier();
        }
        if (block.exhausted()) {
            fresh.remove(block);
        }
    }

    /// Lets time pass.
    void ripen(long millis) {
        if (millis < ripeMillis) {
            return;
        }
        while (!cooling.isEmpty() && cooling.first().freeMillis() <= millis) {
            Resting resting = cooling.removeFirst();
            if (block(resting.address()).isPresent()) {
                rested.put(resting.address(), resting);
            }
        }
        ripeMillis = cooling.isEmpty() ? Long.MAX_VALUE : cooling.first().freeMillis();
    }

    /// Counts an address more, or less, that is held in this state.
    void count(LeaseState state, int more) {
        switch (state) {
            case RESERVED -> reserved += more;
            case WIRED -> wired += more;
            case RELEASING -> releasing += more;
        }
    }

    PoolCounts counts(long now) {
        int ripe = 0;
        int orphans = 0;
        for (Resting resting : cooling.headSet(ripe(now))) {
            ripe++;
            orphans += block(resting.address()).isPresent() ? 0 : 1;
        }
        int free = neverUsed + rested.size() + ripe - orphans;
        int cool = cooling.size() - ripe;
        int total = free + reserved + wired + releasing + cool + suspect;
        return new PoolCounts(total, free, reserved, wired, releasing, cool, suspect);
    }

    /// When the next cooling address of a range is free.
    OptionalLong nextFreeMillis() {
        return cooling.stream()
                .filter(resting -> block(resting.address()).isPresent())
                .mapToLong(Resting::freeMillis)
                .findFirst();
    }

    /// Above every resting address that is free at the time, below every other.
    private static Resting ripe(long now) {
        return new Resting(new IpAddress(false, 0, 0), now + 1, Long.MIN_VALUE);
    }
}
