package io.podledger.projections;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// Who holds which address: what the facts so far add up to.
///
/// The ledger changes by [#apply] alone and belongs to one thread. Its canonical form is the set of
/// entries that [#snapshot] writes: ranges, leases, addresses at rest, suspects, and what is
/// remembered of attachments that hold nothing. Counts, queues and indexes follow from these.
public final class Ledger implements LedgerView {
    /// To be raised when the entries, their hashes, the bounds of what is remembered or an effect
    /// of a fact change.
    public static final int CANONICAL_VERSION = 1;

    /// Attachments that hold something. A node runs at most a few hundred pods.
    public static final int ATTACHMENTS_MAX = 16_384;

    /// Released attachments that are remembered: by count and not by time, so that the DEL that a
    /// runtime repeats after a week is still known as a repeated one.
    public static final int TOMBSTONES_MAX = 4_096;

    /// DELs before their ADD that are remembered.
    public static final int FENCES_MAX = 1_024;

    /// Sandboxes of the runtime, the stopped ones included: as many as attachments.
    public static final int SANDBOXES_MAX = ATTACHMENTS_MAX;

    /// Things written down once a minute that are remembered.
    public static final int NOTES_MAX = 1_024;

    final StateHash hash = new StateHash();
    final Pool pool = new Pool(hash);
    final Leases leases = new Leases();
    final Memory<Attachment, Tombstone> graves = new Memory<>(TOMBSTONES_MAX, hash);
    final Memory<Attachment, Fence> fences = new Memory<>(FENCES_MAX, hash);
    final Memory<String, Note> notes = new Memory<>(NOTES_MAX, hash);

    final Memory<String, SandboxEntry> sandboxes = new Memory<>(SANDBOXES_MAX, hash);

    /// As many as there are addresses at most: each withholds one or more.
    final Memory<String, Suspect> suspects = new Memory<>(Range.POOL_ADDRESSES_MAX, hash);

    Boot boot = Boot.NONE;
    long numbers;
    long millis;

    /// The newest list of the runtime's sandboxes that a fact names.
    long lists;

    /// Takes one fact. Checks everything before it changes anything.
    ///
    /// @param ledgerMillis the fact's ledger time
    /// @throws IllegalStateException if the fact cannot follow from the state
    public void apply(long ledgerMillis, Event event) {
        new LedgerChecks(this, ledgerMillis).check(event);
        millis = ledgerMillis;
        pool.ripen(ledgerMillis);
        new LedgerChanges(this, ledgerMillis).change(event);
    }

    /// The ledger that a snapshot holds.
    ///
    /// @throws IllegalArgumentException if the chunks are damaged or of another canonical version
    public static Ledger restore(List<byte[]> chunks) {
        return SnapshotReader.read(chunks);
    }

    /// Everything the ledger knows, in chunks of at most 1 MiB.
    public List<byte[]> snapshot() {
        return SnapshotWriter.write(this);
    }

    @Override
    public long hash() {
        return hash(hash.sum());
    }

    private long hash(long sum) {
        long counted = StateHash.with(sum + boot.hash(), numbers);
        return lists == 0 ? counted : StateHash.with(counted, lists);
    }

    /// The state hash, computed from all entries anew.
    long foldedHash() {
        StateHash folded = new StateHash();
        pool.blocks().forEach(folded::add);
        leases.values().forEach(folded::add);
        resting().forEach(folded::add);
        suspects.values().forEach(folded::add);
        graves.values().forEach(folded::add);
        fences.values().forEach(folded::add);
        notes.values().forEach(folded::add);
        sandboxes.values().forEach(folded::add);
        return hash(folded.sum());
    }

    // What deciding sees

    @Override
    public Optional<Holder> holder(Attachment attachment) {
        return leases.get(attachment).map(LeaseEntry::holder);
    }

    @Override
    public Optional<Holder> owner(String sharedDevice) {
        return leases.owner(sharedDevice).map(LeaseEntry::holder);
    }

    @Override
    public int attachments() {
        return leases.size();
    }

    @Override
    public Optional<Attachment> newer(Pod pod, Attachment attachment) {
        long number = reservation(attachment);
        return leases.newest(pod, attachment)
                .filter(newest -> newest.number() > number)
                .map(LeaseEntry::attachment);
    }

    /// The place of the attachment's ADD in the order of reservations, 0 if none is remembered.
    private long reservation(Attachment attachment) {
        return leases.get(attachment)
                .map(LeaseEntry::number)
                .or(() -> graves.get(attachment).map(Tombstone::number))
                .orElse(0L);
    }

    @Override
    public Optional<Attachment> owner(IpAddress address) {
        return pool.of(address).use(address).flatMap(Ledger::holding);
    }

    private static Optional<Attachment> holding(Use use) {
        return switch (use) {
            case LeaseEntry lease -> Optional.of(lease.attachment());
            case Suspect _, Resting _ -> Optional.empty();
        };
    }

    @Override
    public boolean unheld(IpAddress address) {
        FamilyPool family = pool.of(address);
        return family.block(address).isPresent()
                && family.use(address).map(Resting.class::isInstance).orElse(true);
    }

    @Override
    public Optional<Holding> next(boolean v6, long now) {
        return pool.family(v6).next(now);
    }

    @Override
    public OptionalLong nextFreeMillis(boolean v6) {
        return pool.family(v6).nextFreeMillis();
    }

    @Override
    public List<Range> ranges() {
        return pool.blocks().stream().map(Block::range).toList();
    }

    @Override
    public boolean hasRanges(boolean v6) {
        return !pool.family(v6).blocks().isEmpty();
    }

    @Override
    public PoolCounts counts(boolean v6, long now) {
        return pool.family(v6).counts(now);
    }

    @Override
    public OptionalLong fencedUntil(Attachment attachment, long now) {
        return fences.get(attachment)
                .filter(fence -> fence.untilMillis() > now)
                .map(fence -> OptionalLong.of(fence.untilMillis()))
                .orElse(OptionalLong.empty());
    }

    @Override
    public boolean released(Attachment attachment) {
        return graves.get(attachment).isPresent();
    }

    @Override
    public Set<String> devices() {
        Set<String> devices = new HashSet<>();
        leases.values().forEach(lease -> devices.add(lease.lease().hostDevice()));
        leases.values().forEach(lease -> devices.add(lease.lease().shared().device()));
        graves.values().forEach(tombstone -> devices.add(tombstone.hostDevice()));
        return devices;
    }

    @Override
    public Optional<Suspect> suspect(String hostDevice) {
        return suspects.get(hostDevice);
    }

    @Override
    public Optional<Sandbox> sandbox(String id) {
        return sandboxes.get(id).map(SandboxEntry::sandbox);
    }

    @Override
    public List<Sandbox> sandboxes() {
        return sandboxes.values().stream().map(SandboxEntry::sandbox).toList();
    }

    @Override
    public List<Holder> managed() {
        return leases.values().stream()
                .filter(lease -> lease.state() != LeaseState.RELEASING)
                .filter(lease -> lease.fact().runtimeManaged())
                .map(LeaseEntry::holder)
                .toList();
    }

    @Override
    public boolean knowsContainer(Set<String> ids) {
        return leases.values().stream().anyMatch(l -> ids.contains(l.attachment().containerId()))
                || graves.values().stream()
                        .anyMatch(t -> ids.contains(t.attachment().containerId()));
    }

    @Override
    public long lists() {
        return lists;
    }

    @Override
    public OptionalLong noted(String about) {
        return notes.get(about)
                .map(note -> OptionalLong.of(note.millis()))
                .orElse(OptionalLong.empty());
    }

    @Override
    public long nextNumber() {
        return numbers + 1;
    }

    @Override
    public Boot boot() {
        return boot;
    }

    // What tools list

    /// Every lease, in the order of reservation.
    public List<Holder> holders() {
        return leases.values().stream().map(LeaseEntry::holder).toList();
    }

    /// Every address that was given back, the first to be free first. Those whose time has come are
    /// free.
    public List<Resting> resting() {
        List<Resting> resting = new ArrayList<>();
        for (boolean v6 : new boolean[] {false, true}) {
            pool.family(v6).uses().stream()
                    .map(Map.Entry::getValue)
                    .filter(Resting.class::isInstance)
                    .map(Resting.class::cast)
                    .sorted()
                    .forEach(resting::add);
        }
        return resting;
    }

    /// Every suspect, the longest suspected first.
    public List<Suspect> suspects() {
        return List.copyOf(suspects.values());
    }

    /// How many attachments an ADD of which is refused now.
    public int fences(long now) {
        return (int) fences.values().stream().filter(f -> f.untilMillis() > now).count();
    }

    /// Ledger time of the newest fact.
    public long millis() {
        return millis;
    }
}
