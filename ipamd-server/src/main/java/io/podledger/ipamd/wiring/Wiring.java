package io.podledger.ipamd.wiring;

import io.podledger.projections.Command;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Lease;
import java.util.List;

/// The kernel's side of a lease. Every call may be repeated, blocks the calling platform thread,
/// and ends within a bound.
public interface Wiring {
    /// Makes the lease's devices, addresses, routes, neighbours and rules, or verifies and repairs
    /// them where they are there already.
    ///
    /// @param namespace descriptor of the pod's open network namespace; stays open
    /// @throws WiringException if the pod has no working network; what was made may be left for
    ///   [#unwire]
    void wire(Lease lease, int namespace) throws WiringException;

    /// Removes the lease's host device, routes and rules, each until the kernel says that there is
    /// none.
    ///
    /// @throws WiringException if something is left or could not be looked at
    void unwire(Lease lease) throws WiringException;

    /// Compares the lease with the kernel, changing nothing.
    ///
    /// @throws WiringException naming each thing that is missing or wrong
    void check(Lease lease, int namespace) throws WiringException;

    /// Removes a suspect whose DEL came: a device with a Podledger mark, of whichever journal, and
    /// the routes and rules that we made for the addresses.
    ///
    /// @throws WiringException if something is left, or the device has no Podledger mark
    void remove(String hostDevice, List<IpAddress> addresses) throws WiringException;

    /// Every host device that carries a Podledger mark, of this journal or of another.
    List<Command.Marked> marked() throws WiringException;
}
