package io.podledger.ipamd.wiring;

import io.podledger.ipamd.netlink.Link;
import io.podledger.ipamd.netlink.Netlink;
import io.podledger.ipamd.netlink.NetlinkException;
import io.podledger.ipamd.netlink.Prefix;
import io.podledger.ipamd.netlink.Route;
import io.podledger.ipamd.netlink.Rule;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Lease;
import java.util.ArrayList;
import java.util.List;

/// Tells our kernel objects from everybody else's. What is not provably ours is named to people and
/// never touched.
final class Claims {
    private Claims() {}

    /// A device is an attachment's if it has its mark, or if it has no alias and the MAC that only
    /// this attachment gets: a daemon that was killed between making and marking left it so.
    static boolean isOurs(Link device, Mark mark, Lease lease) {
        return device.alias().isEmpty()
                ? device.mac().equals(Naming.hostMac(lease.attachment()))
                : device.alias().equals(mark.text());
    }

    static boolean isOurs(Route route, Link device) {
        return route.protocol() == Layout.PROTOCOL && route.device() == device.index();
    }

    /// Whether a rule that is not wanted decides over packets of the address before ours do.
    static boolean misleads(Rule rule, IpAddress address, List<Rule> wanted) {
        Prefix alone = Prefix.host(address);
        boolean from = rule.from().equals(alone);
        boolean to = rule.to().equals(alone);
        boolean early =
                (from && rule.priority() <= Layout.FROM_POD_PRIORITY)
                        || (to && rule.priority() <= Layout.TO_POD_PRIORITY);
        return early && !wanted.contains(rule);
    }

    /// Explains an EEXIST: returns if what exists is ours.
    ///
    /// @throws WiringException naming what has the place of a route of the lease
    static void verifyRoutes(Netlink host, Lease lease, Link device)
            throws NetlinkException, WiringException {
        for (Route wanted : Layout.hostRoutes(lease, device.index())) {
            for (Route route : host.routes(wanted.v6(), Route.MAIN, 0)) {
                if (route.destination().equals(wanted.destination()) && !isOurs(route, device)) {
                    throw new WiringException(foreign(route));
                }
            }
        }
    }

    /// @throws WiringException naming what has the place of a rule of the lease
    static void verifyRules(Netlink host, Lease lease) throws NetlinkException, WiringException {
        for (Rule wanted : Layout.rules(lease)) {
            List<Rule> rules = host.rules(wanted.v6());
            if (!rules.contains(wanted)) {
                throw new WiringException(foreign(alike(rules, wanted)));
            }
        }
    }

    /// @throws WiringException if one of the addresses leads to a device with a Podledger mark
    static void requireUnrouted(Netlink host, List<IpAddress> addresses)
            throws NetlinkException, WiringException {
        List<Route> routes = new ArrayList<>(host.routes(false, Route.MAIN, 0));
        routes.addAll(host.routes(true, Route.MAIN, 0));
        List<Route> left =
                routes.stream()
                        .filter(Layout::isHostRoute)
                        .filter(route -> addresses.contains(route.destination().address()))
                        .toList();
        if (left.isEmpty()) {
            return;
        }
        for (Link device : host.links()) {
            if (Mark.of(device).isPresent()
                    && left.stream().anyMatch(route -> route.device() == device.index())) {
                throw new WiringException(
                        left.getFirst().destination()
                                + " is routed to device "
                                + device.name()
                                + " marked '"
                                + device.alias()
                                + "'");
            }
        }
    }

    static String foreign(Link device) {
        return "device "
                + device.name()
                + (device.alias().isEmpty()
                        ? " without a mark"
                        : " marked '" + device.alias() + "'")
                + " is not ours: remove it with 'ip link del "
                + device.name()
                + "' if nothing uses it";
    }

    static String foreign(Route route) {
        return "route " + route + " of protocol " + route.protocol() + " is not this attachment's";
    }

    static String foreign(Rule rule) {
        return "rule " + rule + " of protocol " + rule.protocol() + " is not this attachment's";
    }

    private static Rule alike(List<Rule> rules, Rule wanted) {
        return rules.stream()
                .filter(rule -> rule.priority() == wanted.priority())
                .filter(rule -> rule.from().equals(wanted.from()) && rule.to().equals(wanted.to()))
                .findFirst()
                .orElse(wanted);
    }
}
