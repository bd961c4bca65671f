package io.podledger.ipamd.wiring;

import io.podledger.ipamd.netlink.Address;
import io.podledger.ipamd.netlink.Answer;
import io.podledger.ipamd.netlink.Errno;
import io.podledger.ipamd.netlink.Link;
import io.podledger.ipamd.netlink.Mac;
import io.podledger.ipamd.netlink.Neighbour;
import io.podledger.ipamd.netlink.Netlink;
import io.podledger.ipamd.netlink.NetlinkException;
import io.podledger.ipamd.netlink.Request;
import io.podledger.ipamd.netlink.Route;
import io.podledger.ipamd.netlink.Rule;
import io.podledger.projections.Attachment;
import io.podledger.projections.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One lease between the host's and one pod's namespace.
///
/// @param host socket in the host's namespace
/// @param namespace descriptor of the pod's namespace
record PodWiring(Netlink host, Lease lease, int namespace, Mark mark, DeviceSysctls sysctls) {

    void wire() throws NetlinkException, WiringException {
        Netlink.Made made = make();
        if (made.answer().errno() != Errno.EEXIST) {
            made.answer().orThrow();
            configure(made.link().orElseThrow());
            return;
        }
        Link device = made.link().orElseThrow(this::podDeviceExists);
        if (!Claims.isOurs(device, mark, lease)) {
            throw new WiringException(Claims.foreign(device));
        }
        repair(device);
    }

    void check() throws NetlinkException, WiringException {
        List<String> findings = findings();
        if (!findings.isEmpty()) {
            throw new WiringException(String.join("; ", findings));
        }
    }

    private void repair(Link device) throws NetlinkException, WiringException {
        if (findings().isEmpty()) {
            return;
        }
        if (leadsIntoPod(device)) {
            host.order(corrections(device, Naming.hostMac(attachment())));
            configure(device);
        } else {
            Teardown.device(host, device);
            Netlink.Made made = make();
            if (made.answer().errno() == Errno.EEXIST) {
                throw podDeviceExists();
            }
            made.answer().orThrow();
            configure(made.link().orElseThrow());
        }
        check();
    }

    private Netlink.Made make() throws NetlinkException {
        Link.End here = new Link.End(lease.hostDevice(), Naming.hostMac(attachment()));
        Link.End there = new Link.End(attachment().ifName(), Naming.podMac(attachment()));
        return host.make(Link.createVeth(here, there, namespace, lease.mtu()), lease.hostDevice());
    }

    /// The same interface in another namespace than the attachment's old one, or none: the pair is
    /// of no more use.
    private boolean leadsIntoPod(Link device) throws NetlinkException {
        if (device.peerNamespace() < 0
                || device.peerNamespace() != host.namespaceNumber(namespace)) {
            return false;
        }
        try (Netlink pod = Netlink.in(namespace)) {
            Optional<Link> end = pod.link(attachment().ifName());
            if (end.isEmpty() || end.get().index() != device.peer()) {
                return false;
            }
            pod.order(corrections(end.get(), Naming.podMac(attachment())));
            return true;
        }
    }

    /// To set a MAC makes the kernel forget the neighbours, so only where it is wrong.
    private List<Request> corrections(Link device, Mac mac) {
        List<Request> requests = new ArrayList<>();
        if (!device.mac().equals(mac)) {
            requests.add(Link.setMac(device.index(), mac));
        }
        if (device.mtu() != lease.mtu()) {
            requests.add(Link.setMtu(device.index(), lease.mtu()));
        }
        return requests;
    }

    /// Everything but the pair itself; harmless where some of it is there.
    private void configure(Link device) throws NetlinkException, WiringException {
        List<Answer> answers =
                host.ask(
                        List.of(
                                Link.setAlias(device.index(), mark.text()),
                                Link.withoutLinkLocal(device.index())));
        answers.get(0).orThrow();
        if (sysctls.refuseAdvertisements(device.name())) {
            answers.get(1).orThrow();
        }
        configureHost(device);
        try (Netlink pod = Netlink.in(namespace)) {
            pod.order(podRequests(device.peer()));
        }
    }

    /// Routes before rules: an address that another device has is refused before anything of that
    /// device changes. A rule of ours that the address has then is a leftover, perhaps to another
    /// table.
    private void configureHost(Link device) throws NetlinkException, WiringException {
        List<Request> requests = new ArrayList<>();
        requests.add(Link.setUp(device.index()));
        Layout.hostNeighbours(lease, device.index()).stream()
                .map(Neighbour::put)
                .forEach(requests::add);
        Layout.hostRoutes(lease, device.index()).stream().map(Route::add).forEach(requests::add);
        if (someExist(host.ask(requests))) {
            Claims.verifyRoutes(host, lease, device);
        }
        Teardown.rules(host, Layout.addresses(lease));
        if (someExist(host.ask(Layout.rules(lease).stream().map(Rule::add).toList()))) {
            Claims.verifyRules(host, lease);
        }
    }

    private static boolean someExist(List<Answer> answers) throws NetlinkException {
        boolean exist = false;
        for (Answer answer : answers) {
            if (answer.errno() == Errno.EEXIST) {
                exist = true;
            } else {
                answer.orThrow();
            }
        }
        return exist;
    }

    /// One batch. The index of the pod's end is known from the host's, so nothing is looked up.
    private List<Request> podRequests(int device) {
        List<Request> requests = new ArrayList<>();
        requests.add(Link.setUp(Link.LOOPBACK));
        requests.add(Link.setUp(device));
        Layout.podAddresses(lease, device).stream().map(Address::put).forEach(requests::add);
        Layout.podRoutes(lease, device).stream().map(Route::put).forEach(requests::add);
        Layout.podNeighbours(lease, device).stream().map(Neighbour::put).forEach(requests::add);
        return requests;
    }

    private List<String> findings() throws NetlinkException {
        List<String> findings = new ArrayList<>();
        Optional<Link> device = host.link(lease.hostDevice());
        if (device.isEmpty()) {
            return List.of("host device " + lease.hostDevice() + " is missing");
        }
        if (!device.get().alias().equals(mark.text())) {
            findings.add("host device " + lease.hostDevice() + " lacks the mark " + mark.text());
        }
        findings.addAll(sysctls.findings(lease.hostDevice()));
        findings.addAll(Inspection.host(host, lease, device.get()));
        findings.addAll(podFindings(device.get()));
        return findings;
    }

    private List<String> podFindings(Link device) throws NetlinkException {
        try (Netlink pod = Netlink.in(namespace)) {
            Optional<Link> end = pod.link(attachment().ifName());
            boolean paired =
                    device.peerNamespace() >= 0
                            && device.peerNamespace() == host.namespaceNumber(namespace)
                            && end.isPresent()
                            && end.get().index() == device.peer();
            return paired
                    ? Inspection.pod(pod, lease, end.orElseThrow())
                    : List.of(
                            "pod device "
                                    + attachment().ifName()
                                    + " is missing or is not the other end of "
                                    + lease.hostDevice());
        }
    }

    private Attachment attachment() {
        return lease.attachment();
    }

    private WiringException podDeviceExists() {
        return new WiringException(
                "the pod's namespace already has a device "
                        + attachment().ifName()
                        + " that is not ours");
    }
}
