package io.podledger.ipamd.wiring;

import io.podledger.ipamd.netlink.Address;
import io.podledger.ipamd.netlink.Answer;
import io.podledger.ipamd.netlink.Errno;
import io.podledger.ipamd.netlink.Link;
import io.podledger.ipamd.netlink.Netlink;
import io.podledger.ipamd.netlink.NetlinkException;
import io.podledger.ipamd.netlink.Prefix;
import io.podledger.ipamd.netlink.Route;
import io.podledger.projections.IpAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/// The routing tables of host interfaces that pods leave by: a default route each.
///
/// @param host socket in the host's namespace
public record UplinkTables(Netlink host) {
    /// Where nobody chose a table, it is this plus the interface's index: the same for as long as
    /// the interface lives, and above what people number by hand.
    private static final int AUTOMATIC = 10_000;

    /// Shorter prefixes than these have a first address that can be the router.
    private static final int SUBNET_PREFIX_MAX = 30;

    /// The interface's table. One that has a default route is left as it is; any other gets one.
    ///
    /// @param table the table somebody chose, or empty
    /// @param gateway the router somebody named, or empty: then it is the router of the interface's
    ///   default route in the main table, or for IPv4 the first address of the interface's subnet
    /// @throws WiringException if there is no such interface, or no way to tell its router
    public int ensure(String uplink, OptionalInt table, Optional<IpAddress> gateway, boolean v6)
            throws WiringException {
        try {
            Link device =
                    host.link(uplink)
                            .orElseThrow(
                                    () -> new WiringException("there is no interface " + uplink));
            int number = table.orElse(AUTOMATIC + device.index());
            if (host.routes(v6, number, 0).stream().noneMatch(UplinkTables::isDefault)) {
                fill(number, device, gateway.isPresent() ? gateway.get() : router(device, v6));
            }
            return number;
        } catch (NetlinkException e) {
            throw new WiringException(uplink + ": " + e.getMessage());
        }
    }

    /// Interfaces whose IPv6 default route came from a router advertisement: the kernel stops
    /// listening there once it forwards, unless it is told otherwise.
    public List<String> advertised() throws WiringException {
        try {
            List<Integer> devices =
                    host.routes(true, Route.MAIN, 0).stream()
                            .filter(UplinkTables::isDefault)
                            .filter(route -> route.protocol() == Route.BY_ADVERTISEMENT)
                            .map(Route::device)
                            .toList();
            return host.links().stream()
                    .filter(link -> devices.contains(link.index()))
                    .map(Link::name)
                    .toList();
        } catch (NetlinkException e) {
            throw new WiringException(String.valueOf(e.getMessage()));
        }
    }

    private void fill(int table, Link device, IpAddress router) throws NetlinkException {
        Route link = route(Prefix.host(router), Optional.empty(), device, table);
        Route all = route(Prefix.all(router.v6()), Optional.of(router), device, table);
        for (Answer answer : host.ask(List.of(link.add(), all.add()))) {
            if (answer.errno() != Errno.EEXIST) {
                answer.orThrow();
            }
        }
    }

    private IpAddress router(Link device, boolean v6) throws NetlinkException, WiringException {
        Optional<IpAddress> known =
                host.routes(v6, Route.MAIN, device.index()).stream()
                        .filter(UplinkTables::isDefault)
                        .flatMap(route -> route.gateway().stream())
                        .findFirst();
        List<Address> own = host.addresses(v6, device.index());
        return known.or(() -> v6 ? Optional.empty() : firstOfSubnet(own))
                .orElseThrow(() -> unknownRouter(device));
    }

    private static Optional<IpAddress> firstOfSubnet(List<Address> own) {
        return own.stream()
                .filter(address -> address.prefixLength() <= SUBNET_PREFIX_MAX)
                .map(address -> address.address().network(address.prefixLength()).plus(1))
                .filter(first -> own.stream().noneMatch(a -> a.address().equals(first)))
                .findFirst();
    }

    private static WiringException unknownRouter(Link device) {
        return new WiringException(
                "the router behind "
                        + device.name()
                        + " is unknown: name it in --pool, or give "
                        + device.name()
                        + " a default route");
    }

    private static Route route(Prefix to, Optional<IpAddress> gateway, Link device, int table) {
        return new Route(to, gateway, device.index(), table, 0, Layout.PROTOCOL);
    }

    private static boolean isDefault(Route route) {
        return route.destination().length() == 0;
    }
}
