package io.podledger.ipamd.wiring;

import io.podledger.ipamd.netlink.Answer;
import io.podledger.ipamd.netlink.Errno;
import io.podledger.ipamd.netlink.Link;
import io.podledger.ipamd.netlink.Netlink;
import io.podledger.ipamd.netlink.NetlinkException;
import io.podledger.ipamd.netlink.Request;
import io.podledger.ipamd.netlink.Rule;
import io.podledger.projections.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// Takes things away until the kernel says that there is none left.
final class Teardown {
    /// Nodes were seen with the same rule several times over. More copies than this are somebody's
    /// work at this very moment.
    private static final int COPIES_MAX = 16;

    /// How the kernel says that there is no such rule, route or device.
    private static final Set<Integer> NONE = Set.of(Errno.ENOENT, Errno.ESRCH, Errno.ENODEV);

    private Teardown() {}

    /// Deletes a device and sees that it is gone.
    static void device(Netlink host, Link device) throws NetlinkException, WiringException {
        Answer answer = host.ask(List.of(Link.delete(device.index()))).getFirst();
        if (!NONE.contains(answer.errno())) {
            answer.orThrow();
        }
        Optional<Link> left = host.link(device.name());
        if (left.isPresent()) {
            throw new WiringException("device " + device.name() + " came back after its removal");
        }
    }

    /// Deletes the routes and rules that we made for the addresses, and nobody else's. The device
    /// has gone before, so an address that still leads to a device of ours is another pod's.
    static void routesAndRules(Netlink host, List<IpAddress> addresses)
            throws NetlinkException, WiringException {
        Claims.requireUnrouted(host, addresses);
        Stream<Request> routes =
                addresses.stream().map(address -> Layout.hostRoute(address, 0).delete());
        untilNone(host, Stream.concat(ruleDeletions(addresses), routes).toList());
    }

    static void rules(Netlink host, List<IpAddress> addresses)
            throws NetlinkException, WiringException {
        untilNone(host, ruleDeletions(addresses).toList());
    }

    private static Stream<Request> ruleDeletions(List<IpAddress> addresses) {
        return addresses.stream().map(Layout::rulesEver).flatMap(List::stream).map(Rule::delete);
    }

    private static void untilNone(Netlink host, List<Request> requests)
            throws NetlinkException, WiringException {
        List<Request> left = requests;
        for (int i = 0; i <= COPIES_MAX && !left.isEmpty(); i++) {
            left = stillThere(left, host.ask(left));
        }
        if (!left.isEmpty()) {
            throw new WiringException(
                    left.getFirst().what() + ": more than " + COPIES_MAX + " copies exist");
        }
    }

    /// What was deleted may have been one of several.
    private static List<Request> stillThere(List<Request> requests, List<Answer> answers)
            throws NetlinkException {
        List<Request> left = new ArrayList<>();
        for (int i = 0; i < requests.size(); i++) {
            Answer answer = answers.get(i);
            if (!NONE.contains(answer.errno())) {
                answer.orThrow();
                left.add(requests.get(i));
            }
        }
        return left;
    }
}
