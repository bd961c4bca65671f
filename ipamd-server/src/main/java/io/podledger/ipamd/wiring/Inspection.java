package io.podledger.ipamd.wiring;

import io.podledger.ipamd.netlink.Link;
import io.podledger.ipamd.netlink.Mac;
import io.podledger.ipamd.netlink.Neighbour;
import io.podledger.ipamd.netlink.Netlink;
import io.podledger.ipamd.netlink.NetlinkException;
import io.podledger.ipamd.netlink.Prefix;
import io.podledger.ipamd.netlink.Route;
import io.podledger.ipamd.netlink.Rule;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Lease;
import java.util.ArrayList;
import java.util.List;

/// Compares a lease's devices, addresses, routes, neighbours and rules with the [Layout]. Reads
/// only; each finding is one sentence for people.
final class Inspection {
    private final Lease lease;
    private final List<String> findings = new ArrayList<>();

    private Inspection(Lease lease) {
        this.lease = lease;
    }

    /// What is wrong on the host, its device apart.
    static List<String> host(Netlink host, Lease lease, Link device) throws NetlinkException {
        Inspection inspection = new Inspection(lease);
        inspection.device("host", device, Naming.hostMac(lease.attachment()));
        for (boolean v6 : new boolean[] {false, true}) {
            if (Layout.uses(lease, v6)) {
                inspection.hostRoutes(host.routes(v6, Route.MAIN, 0), v6, device);
                inspection.rules(host.rules(v6), v6);
                inspection.neighbours(
                        "host",
                        host.neighbours(v6, device.index()),
                        Layout.hostNeighbours(lease, device.index()),
                        v6);
            }
        }
        return inspection.findings;
    }

    /// What is wrong in the pod.
    static List<String> pod(Netlink pod, Lease lease, Link device) throws NetlinkException {
        Inspection inspection = new Inspection(lease);
        inspection.device("pod", device, Naming.podMac(lease.attachment()));
        pod.link("lo").filter(Link::up).ifPresentOrElse(lo -> {}, inspection::loopbackIsDown);
        for (boolean v6 : new boolean[] {false, true}) {
            if (Layout.uses(lease, v6)) {
                inspection.podAddresses(pod, v6, device.index());
                inspection.podRoutes(pod.routes(v6, Route.MAIN, device.index()), v6, device);
                inspection.neighbours(
                        "pod",
                        pod.neighbours(v6, device.index()),
                        Layout.podNeighbours(lease, device.index()),
                        v6);
            }
        }
        return inspection.findings;
    }

    private void device(String where, Link device, Mac mac) {
        String name = where + " device " + device.name();
        if (!device.mac().equals(mac)) {
            findings.add(name + " has MAC " + device.mac() + " instead of " + mac);
        }
        if (device.mtu() != lease.mtu()) {
            findings.add(name + " has MTU " + device.mtu() + " instead of " + lease.mtu());
        }
        if (!device.up()) {
            findings.add(name + " is down");
        }
    }

    private void loopbackIsDown() {
        findings.add("pod device lo is down");
    }

    private void hostRoutes(List<Route> all, boolean v6, Link device) {
        for (Route wanted : Layout.hostRoutes(lease, device.index())) {
            if (wanted.v6() != v6) {
                continue;
            }
            List<Route> there = routesTo(all, wanted.destination());
            if (there.stream().noneMatch(route -> Claims.isOurs(route, device))) {
                findings.add("host route " + wanted.destination() + " is missing");
            }
            there.stream()
                    .filter(route -> !Claims.isOurs(route, device))
                    .forEach(route -> findings.add(Claims.foreign(route)));
        }
    }

    private void rules(List<Rule> all, boolean v6) {
        for (Rule wanted : Layout.rules(lease)) {
            if (wanted.v6() == v6 && !all.contains(wanted)) {
                findings.add("host rule " + wanted + " is missing");
            }
        }
        for (IpAddress address : Layout.addresses(lease)) {
            all.stream()
                    .filter(rule -> Claims.misleads(rule, address, Layout.rules(lease)))
                    .forEach(rule -> findings.add(Claims.foreign(rule)));
        }
    }

    private void neighbours(
            String where, List<Neighbour> all, List<Neighbour> expected, boolean v6) {
        for (Neighbour wanted : expected) {
            if (wanted.address().v6() == v6 && !all.contains(wanted)) {
                findings.add(
                        where
                                + " neighbour "
                                + wanted.address()
                                + " with MAC "
                                + wanted.mac()
                                + " is missing");
            }
        }
    }

    private void podAddresses(Netlink pod, boolean v6, int device) throws NetlinkException {
        var there = pod.addresses(v6, device);
        for (var wanted : Layout.podAddresses(lease, device)) {
            if (wanted.address().v6() == v6 && !there.contains(wanted)) {
                findings.add("pod address " + wanted.address() + " is missing");
            }
        }
    }

    private void podRoutes(List<Route> there, boolean v6, Link device) {
        for (Route wanted : Layout.podRoutes(lease, device.index())) {
            if (wanted.v6() == v6 && !there.contains(wanted)) {
                findings.add("pod route " + wanted + " is missing");
            }
        }
    }

    private static List<Route> routesTo(List<Route> all, Prefix destination) {
        return all.stream().filter(route -> route.destination().equals(destination)).toList();
    }
}
