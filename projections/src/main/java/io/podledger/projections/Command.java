package io.podledger.projections;

import java.util.List;
import java.util.Optional;

/// Something that asks the ledger to decide.
public sealed interface Command {
    /// @param sharedDevice name of the host device that the pod's sandboxes share, empty for none
    record Add(
            Attachment attachment,
            Optional<Pod> pod,
            boolean runtimeManaged,
            Mode mode,
            NamespaceIdentity namespace,
            String netnsPath,
            String hostDevice,
            int mtu,
            String sharedDevice)
            implements Command {
        /// With nothing that the pod's sandboxes share.
        public Add(
                Attachment attachment,
                Optional<Pod> pod,
                boolean runtimeManaged,
                Mode mode,
                NamespaceIdentity namespace,
                String netnsPath,
                String hostDevice,
                int mtu) {
            this(attachment, pod, runtimeManaged, mode, namespace, netnsPath, hostDevice, mtu, "");
        }
    }

    /// @param hostDevice name of the device that an ADD of this attachment would have made
    /// @param spooled when the shim wrote it down, for a DEL that was spooled
    record Del(
            Attachment attachment,
            Optional<Pod> pod,
            String hostDevice,
            Optional<SpoolTime> spooled)
            implements Command {}

    /// @param bootMillis CLOCK_BOOTTIME in ms, meaningful within that boot
    record SpoolTime(String bootId, long bootMillis) {}

    /// A wiring order was carried out. `order` is the number that [Outcome.Wire] gave; a completion
    /// of an order that is not the attachment's newest is ignored.
    record WiringDone(Attachment attachment, long order) implements Command {}

    record WiringBroke(Attachment attachment, long order, String reason) implements Command {}

    /// Nothing of the attachment is left in the kernel.
    record TeardownDone(Attachment attachment, long order) implements Command {}

    record SuspectGone(String hostDevice, String evidence) implements Command {}

    /// An ADD of an earlier process that nobody waits for and that left nothing in the kernel.
    record Abandon(Attachment attachment, String evidence) implements Command {}

    record Start(Event.DaemonStarted facts, List<Range> ranges) implements Command {}

    record Stop(String reason) implements Command {}

    /// What a look at the kernel showed: devices and routes that carry our mark.
    record Compare(List<Marked> marked) implements Command {}

    /// @param addresses the pool addresses that are routed to the device
    record Marked(String hostDevice, String mark, List<IpAddress> addresses) {}

    /// All sandboxes that the runtime has.
    ///
    /// @param list the list's number, later lists having larger ones
    record SandboxesListed(long list, List<Sandbox> sandboxes) implements Command {}

    /// The runtime was asked for one sandbox.
    ///
    /// @param sandbox nothing where it has none of this ID
    /// @param list the number of the newest list
    record SandboxShown(String id, Optional<Sandbox> sandbox, long list) implements Command {}

    /// The runtime was asked for a missed attachment's sandbox, and has none of this ID.
    ///
    /// @param list the number of the newest list, which lacked it
    record Sweep(Attachment attachment, long list) implements Command {}

    /// Write the state's hash into the log.
    record Hash() implements Command {}
}
