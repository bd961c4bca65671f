package io.podledger.ipamd.wiring;

import io.podledger.ipamd.netlink.Address;
import io.podledger.ipamd.netlink.Mac;
import io.podledger.ipamd.netlink.Neighbour;
import io.podledger.ipamd.netlink.Prefix;
import io.podledger.ipamd.netlink.Route;
import io.podledger.ipamd.netlink.Rule;
import io.podledger.projections.Holding;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What the kernel holds for a lease: the one place that wiring, checking and teardown read it
/// from.
///
/// ```
/// pod                                          host
/// eth0 podMac ─────────────────────────────── eni… hostMac, alias = mark
///   IP/32, IP6/128                              IP/32 dev eni…        (main)
///   169.254.1.1 dev eth0, permanent hostMac     IP permanent podMac
///   default via 169.254.1.1                     rule 512:  to IP lookup main
///   the same with fe80::1                       rule 1536: from IP lookup T   (if T is set)
/// ```
final class Layout {
    /// On each route and rule that we make. Not in iproute2's list of protocols, where routing
    /// daemons have theirs, and not 3 or 4, which scripts and hands leave behind.
    static final int PROTOCOL = 112;

    /// Before any other rule that picks a table: what is for a pod is on this node.
    static final int TO_POD_PRIORITY = 512;

    /// After the rules by which a node sends marked packets to main (1024).
    static final int FROM_POD_PRIORITY = 1536;

    private static final IpAddress GATEWAY4 = IpAddress.parse("169.254.1.1");
    private static final IpAddress GATEWAY6 = IpAddress.parse("fe80::1");

    private Layout() {}

    static List<IpAddress> addresses(Lease lease) {
        return lease.holdings().stream().map(Holding::address).toList();
    }

    static boolean uses(Lease lease, boolean v6) {
        return addresses(lease).stream().anyMatch(address -> address.v6() == v6);
    }

    static Route hostRoute(IpAddress address, int device) {
        return new Route(Prefix.host(address), Optional.empty(), device, Route.MAIN, 0, PROTOCOL);
    }

    /// Whether a route of the main table is one that we made for an address.
    static boolean isHostRoute(Route route) {
        return route.protocol() == PROTOCOL
                && route.destination().length() == route.destination().address().bits();
    }

    static List<Route> hostRoutes(Lease lease, int device) {
        return addresses(lease).stream().map(address -> hostRoute(address, device)).toList();
    }

    static List<Rule> rules(Lease lease) {
        List<Rule> rules = new ArrayList<>();
        for (Holding holding : lease.holdings()) {
            rules.add(Rule.to(holding.address(), TO_POD_PRIORITY, Route.MAIN, PROTOCOL));
            if (holding.table() != 0) {
                rules.add(
                        Rule.from(holding.address(), FROM_POD_PRIORITY, holding.table(), PROTOCOL));
            }
        }
        return rules;
    }

    /// Every rule that we may ever have made for the address.
    static List<Rule> rulesEver(IpAddress address) {
        return List.of(
                Rule.to(address, TO_POD_PRIORITY, Rule.ANY_TABLE, PROTOCOL),
                Rule.from(address, FROM_POD_PRIORITY, Rule.ANY_TABLE, PROTOCOL));
    }

    static List<Neighbour> hostNeighbours(Lease lease, int device) {
        Mac mac = Naming.podMac(lease.attachment());
        return addresses(lease).stream()
                .map(address -> new Neighbour(address, mac, device, true))
                .toList();
    }

    static List<Address> podAddresses(Lease lease, int device) {
        return addresses(lease).stream().map(address -> Address.host(address, device)).toList();
    }

    /// The metric is the device's index: two interfaces of one pod both have a default route, and
    /// the one that was made first wins.
    static List<Route> podRoutes(Lease lease, int device) {
        List<Route> routes = new ArrayList<>();
        for (IpAddress gateway : gateways(lease)) {
            Prefix all = Prefix.all(gateway.v6());
            routes.add(podRoute(Prefix.host(gateway), Optional.empty(), device));
            routes.add(podRoute(all, Optional.of(gateway), device));
        }
        return routes;
    }

    static List<Neighbour> podNeighbours(Lease lease, int device) {
        Mac mac = Naming.hostMac(lease.attachment());
        return gateways(lease).stream()
                .map(gateway -> new Neighbour(gateway, mac, device, true))
                .toList();
    }

    private static Route podRoute(Prefix to, Optional<IpAddress> gateway, int device) {
        return new Route(to, gateway, device, Route.MAIN, device, PROTOCOL);
    }

    private static List<IpAddress> gateways(Lease lease) {
        List<IpAddress> gateways = new ArrayList<>();
        if (uses(lease, false)) {
            gateways.add(GATEWAY4);
        }
        if (uses(lease, true)) {
            gateways.add(GATEWAY6);
        }
        return gateways;
    }
}
