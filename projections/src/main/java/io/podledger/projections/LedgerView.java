package io.podledger.projections;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/// The ledger as deciding sees it: to read, not to change. All times are ledger time in ms.
public interface LedgerView {
    /// What the attachment holds, if it holds anything.
    default Optional<Lease> lease(Attachment attachment) {
        return holder(attachment).map(Holder::lease);
    }

    /// The same, and how it stands.
    Optional<Holder> holder(Attachment attachment);

    /// The attachment that owns what a pod's sandboxes share, by the shared host device.
    Optional<Holder> owner(String sharedDevice);

    /// How many attachments hold something.
    int attachments();

    /// The attachment of the pod's newest ADD that stands (reserved or wired), in the network and
    /// by the interface name of the given one, if that ADD came after the given one's.
    Optional<Attachment> newer(Pod pod, Attachment attachment);

    /// Who holds the address.
    Optional<Attachment> owner(IpAddress address);

    /// Whether the address is in a range and neither held nor withheld. It may be cooling.
    boolean unheld(IpAddress address);

    /// The address that the next ADD gets in this family, and how it leaves the host.
    Optional<Holding> next(boolean v6, long now);

    /// When the next cooling address of the family is free, if one cools.
    OptionalLong nextFreeMillis(boolean v6);

    /// Active ranges in the order in which they were added.
    List<Range> ranges();

    boolean hasRanges(boolean v6);

    PoolCounts counts(boolean v6, long now);

    default PoolCounts counts(long now) {
        return counts(false, now).plus(counts(true, now));
    }

    /// Until when an ADD of the attachment is refused, if it is.
    OptionalLong fencedUntil(Attachment attachment, long now);

    /// Whether the attachment is among the latest that were released.
    boolean released(Attachment attachment);

    /// The host devices of the leases, and of those that were released latest: gathered at each
    /// call.
    Set<String> devices();

    Optional<Suspect> suspect(String hostDevice);

    /// What the runtime showed last of a sandbox that it has.
    Optional<Sandbox> sandbox(String id);

    /// Every sandbox that the runtime has.
    List<Sandbox> sandboxes();

    /// The attachments that the runtime manages and that are not on their way out.
    List<Holder> managed();

    /// Whether one of these is the container of an attachment that is held, or was released lately.
    boolean knowsContainer(Set<String> ids);

    /// The number of the newest list of sandboxes that changed something.
    long lists();

    /// When a thing was last written down that is written at most once a minute.
    OptionalLong noted(String about);

    /// The number of the next order to wire or unwire.
    long nextNumber();

    Boot boot();

    /// The state hash.
    long hash();
}
