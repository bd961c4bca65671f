package io.podledger.projections;

import java.util.List;
import java.util.Optional;

/// A fact. The ledger is what the facts so far add up to; nothing else changes it.
///
/// What a fact needs to have its effect is in it: bounds of time are written down when they are
/// decided, so that a later version with another bound reads old facts as they were meant.
public sealed interface Event {

    // Process

    /// @param bootMillis CLOCK_BOOTTIME in ms at the moment of the fact's own ledger time
    record DaemonStarted(
            String version, String bootId, long bootMillis, String machineId, String configDigest)
            implements Event {}

    record DaemonStopped(String reason) implements Event {}

    // Requests

    /// @param runtimeManaged the ADD carried K8S_POD_INFRA_CONTAINER_ID
    /// @param holdings at most one of a family; none only with a share that another owns
    /// @param netnsPath as the runtime gave it, at most 4,096 bytes
    /// @param hostDevice our end of the veth pair, empty in [Mode#IPAM]
    /// @param shared what the pod's sandboxes share. One that owns it holds its addresses; one that
    ///   does not holds none until [OwnerChanged] follows
    record AddressReserved(
            Attachment attachment,
            Optional<Pod> pod,
            boolean runtimeManaged,
            Mode mode,
            List<Holding> holdings,
            NamespaceIdentity namespace,
            String netnsPath,
            String hostDevice,
            int mtu,
            SharedThing shared)
            implements Event {
        /// Without a share in anything.
        ///
        /// @throws IllegalArgumentException if a text is longer than its bound
        public AddressReserved(
                Attachment attachment,
                Optional<Pod> pod,
                boolean runtimeManaged,
                Mode mode,
                List<Holding> holdings,
                NamespaceIdentity namespace,
                String netnsPath,
                String hostDevice,
                int mtu) {
            this(
                    attachment,
                    pod,
                    runtimeManaged,
                    mode,
                    holdings,
                    namespace,
                    netnsPath,
                    hostDevice,
                    mtu,
                    SharedThing.NONE);
        }

        /// @throws IllegalArgumentException if a text is longer than its bound
        public AddressReserved {
            holdings = List.copyOf(holdings);
            Texts.bounded("the namespace's path", netnsPath, Texts.PATH_BYTES_MAX);
            Texts.bounded("the host device", hostDevice, Attachment.IF_NAME_BYTES_MAX);
        }
    }

    /// A repeated ADD came with another namespace: it is wired anew.
    record NamespaceReplaced(Attachment attachment, NamespaceIdentity namespace, String netnsPath)
            implements Event {
        /// @throws IllegalArgumentException if the path is longer than its bound
        public NamespaceReplaced {
            Texts.bounded("the namespace's path", netnsPath, Texts.PATH_BYTES_MAX);
        }
    }

    /// An ADD got nothing. Written at most once a minute for a pod, or for an attachment without
    /// one, and reason.
    record AddRefused(Attachment attachment, Optional<Pod> pod, Refusal reason, String detail)
            implements Event {}

    record Wired(Attachment attachment) implements Event {}

    /// An attachment that holds addresses was added once more, in the same namespace: it gets the
    /// same answer.
    record AddRepeated(Attachment attachment) implements Event {}

    /// Wiring failed for good: what was made is taken down and the address released.
    record WiringFailed(Attachment attachment, String reason) implements Event {}

    /// An ADD was never answered and nobody asks for it any more: what may be left of it is taken
    /// down and the address released.
    record AddAbandoned(Attachment attachment, String evidence) implements Event {}

    /// @param owner the newer attachment of the same pod, for [DelVerdict#STALE]
    /// @param fencedUntilMillis ledger time until which an ADD of the attachment is refused, 0 for
    ///   no such fence
    /// @param withheld shared host device that is not taken down, for it is the owner's; empty for
    ///   none
    record DelReceived(
            Attachment attachment,
            Optional<Pod> pod,
            DelVerdict verdict,
            Optional<Attachment> owner,
            boolean spooled,
            long fencedUntilMillis,
            String withheld)
            implements Event {
        /// With nothing withheld.
        public DelReceived(
                Attachment attachment,
                Optional<Pod> pod,
                DelVerdict verdict,
                Optional<Attachment> owner,
                boolean spooled,
                long fencedUntilMillis) {
            this(attachment, pod, verdict, owner, spooled, fencedUntilMillis, "");
        }
    }

    /// @param coolingUntilMillis ledger time before which the addresses are given to nobody
    record Released(
            Attachment attachment, ReleaseCause cause, String evidence, long coolingUntilMillis)
            implements Event {}

    // Sandboxes

    /// The runtime shows a sandbox that was not known, or shows it otherwise than before.
    ///
    /// @param list the number of the newest list that was taken when it was seen
    record SandboxObserved(Sandbox sandbox, SandboxSource source, long list) implements Event {}

    /// The runtime does not show it any more. By itself that releases nothing.
    record SandboxVanished(String id, SandboxSource source, long list) implements Event {}

    /// What a pod's sandboxes share has passed, with its addresses, to the sandbox that was added
    /// latest.
    ///
    /// @param sharedDevice the shared host device, by which the shared thing is known
    record OwnerChanged(String sharedDevice, Attachment owner, Attachment before)
            implements Event {}

    /// The runtime listed its sandboxes, and that of the attachment was not among them. It may be
    /// starting, so by itself that releases nothing.
    record AttachmentMissed(Attachment attachment, long list) implements Event {}

    /// An attachment that was missed is not in doubt any more.
    record AttachmentFound(Attachment attachment, String evidence) implements Event {}

    /// The attachment's sandbox is gone and no DEL ever came: it is taken down.
    ///
    /// @param evidence which lists lacked it, for how long, and what the runtime said when asked
    record AttachmentSwept(Attachment attachment, String evidence) implements Event {}

    // Doubts

    /// The kernel shows something with our mark that the ledger does not explain.
    ///
    /// @param hostDevice the device's name, which is derived from the attachment it was made for
    /// @param addresses what is withheld because of it, at most 256; a device with more has more
    ///   facts
    record AttachmentSuspected(String hostDevice, List<IpAddress> addresses, String why)
            implements Event {
        /// So many addresses fit in a fact.
        public static final int ADDRESSES_MAX = 256;

        public AttachmentSuspected {
            addresses = List.copyOf(addresses);
        }
    }

    record SuspicionCleared(String hostDevice, String evidence, long coolingUntilMillis)
            implements Event {}

    // Pool

    record RangeAdded(Range range) implements Event {}

    /// Nothing more is given from the range; what is held stays held until it is released.
    record RangeRemoved(IpAddress first, int prefixLength) implements Event {}

    // Proof

    /// @param canonicalVersion [Ledger#CANONICAL_VERSION] of the writer; hashes of other versions
    ///   do not compare
    record StateHashed(int canonicalVersion, long hash) implements Event {}
}
