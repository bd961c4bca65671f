package io.podledger.ipamd.wiring;

import io.podledger.ipamd.netlink.Link;
import io.podledger.ipamd.netlink.Netlink;
import io.podledger.ipamd.netlink.NetlinkException;
import io.podledger.ipamd.netlink.Route;
import io.podledger.projections.Command;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Lease;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Wiring by veth pair and policy routing, over rtnetlink. May be called from many platform
/// threads, all of them in the host's network namespace.
///
/// An ADD is six datagrams: make the pair, mark it, the host's end, old rules away, new rules in,
/// the pod's end from inside its namespace. The usual case reads nothing back: an acknowledged
/// message is proof. Only where something exists already is it looked at.
public final class RoutedWiring implements Wiring, AutoCloseable {
    private final String journalId;
    private final DeviceSysctls sysctls;
    private final Sockets sockets = new Sockets();

    /// @param journalId goes into the marks; without `:`, at most 64 bytes
    /// @param sysctls folder with the host's `net/`, usually `/proc/sys`
    public RoutedWiring(String journalId, Path sysctls) {
        if (!journalId.matches("[A-Za-z0-9._-]{1,64}")) {
            throw new IllegalArgumentException(
                    "journal ID '" + journalId + "' must have 1 to 64 of A-Z a-z 0-9 . _ -");
        }
        this.journalId = journalId;
        this.sysctls = new DeviceSysctls(sysctls);
    }

    @Override
    public void wire(Lease lease, int namespace) throws WiringException {
        sockets.run(host -> new PodWiring(host, lease, namespace, mark(lease), sysctls).wire());
    }

    @Override
    public void check(Lease lease, int namespace) throws WiringException {
        sockets.run(host -> new PodWiring(host, lease, namespace, mark(lease), sysctls).check());
    }

    @Override
    public void unwire(Lease lease) throws WiringException {
        sockets.run(
                host ->
                        takeAway(
                                host,
                                lease.hostDevice(),
                                device -> Claims.isOurs(device, mark(lease), lease),
                                Layout.addresses(lease)));
    }

    @Override
    public void remove(String hostDevice, List<IpAddress> addresses) throws WiringException {
        sockets.run(
                host ->
                        takeAway(
                                host,
                                hostDevice,
                                device -> Mark.of(device).isPresent(),
                                addresses));
    }

    @Override
    public List<Command.Marked> marked() throws WiringException {
        return sockets.call(RoutedWiring::marked);
    }

    @Override
    public void close() {
        sockets.close();
    }

    private Mark mark(Lease lease) {
        return Mark.of(journalId, lease.attachment());
    }

    /// Routes and rules go also where the device is not ours: they are known by our protocol.
    private static void takeAway(
            Netlink host, String name, Predicate<Link> isOurs, List<IpAddress> addresses)
            throws NetlinkException, WiringException {
        Optional<Link> device = host.link(name);
        Optional<Link> ours = device.filter(isOurs);
        if (ours.isPresent()) {
            Teardown.device(host, ours.get());
        }
        Teardown.routesAndRules(host, addresses);
        if (device.isPresent() && ours.isEmpty()) {
            throw new WiringException(Claims.foreign(device.get()));
        }
    }

    private static List<Command.Marked> marked(Netlink host) throws NetlinkException {
        List<Route> routes = new ArrayList<>(host.routes(false, Route.MAIN, 0));
        routes.addAll(host.routes(true, Route.MAIN, 0));
        Map<Integer, List<IpAddress>> addresses =
                routes.stream()
                        .filter(Layout::isHostRoute)
                        .collect(
                                Collectors.groupingBy(
                                        Route::device,
                                        Collectors.mapping(
                                                route -> route.destination().address(),
                                                Collectors.toList())));
        return host.links().stream()
                .filter(link -> Mark.of(link).isPresent())
                .map(
                        link ->
                                new Command.Marked(
                                        link.name(),
                                        link.alias(),
                                        addresses.getOrDefault(link.index(), List.of())))
                .toList();
    }
}
