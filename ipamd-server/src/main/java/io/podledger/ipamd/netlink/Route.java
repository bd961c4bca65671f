package io.podledger.ipamd.netlink;

import io.podledger.projections.IpAddress;
import java.nio.ByteBuffer;
import java.util.Optional;

/// A unicast route with one next hop.
///
/// @param gateway empty for a destination that is on the device's own link
/// @param device index of the device it leaves by, 0 where there is none or more than one
/// @param metric among routes to one destination the lowest wins
/// @param protocol who made it: an rtnetlink protocol number
public record Route(
        Prefix destination,
        Optional<IpAddress> gateway,
        int device,
        int table,
        int metric,
        int protocol) {
    public static final int MAIN = 254;

    /// The protocol number of routes that came with a router advertisement.
    public static final int BY_ADVERTISEMENT = 9;

    private static final int NEW = 24;
    private static final int DELETE = 25;
    private static final int GET = 26;
    private static final int RTA_DST = 1;
    private static final int RTA_OIF = 4;
    private static final int RTA_GATEWAY = 5;
    private static final int RTA_PRIORITY = 6;
    private static final int RTA_TABLE = 15;
    private static final int HEADER_BYTES = 12;

    private static final int TYPE_UNICAST = 1;
    private static final int SCOPE_UNIVERSE = 0;
    private static final int SCOPE_LINK = 253;
    private static final int SCOPE_ANY = 255;

    public boolean v6() {
        return destination.address().v6();
    }

    /// Fails with EEXIST if the table has a route to the destination with this metric.
    public Request add() {
        return body("add route", NEW, Request.CREATE | Request.EXCLUSIVE, scope());
    }

    /// Adds the route, or takes the place of the one that has its table, destination and metric.
    public Request put() {
        return body("put route", NEW, Request.CREATE | Request.REPLACE, scope());
    }

    /// Deletes a route with this destination, table and protocol (and device, gateway and metric
    /// where they are set).
    public Request delete() {
        return body("delete route", DELETE, 0, v6() ? 0 : SCOPE_ANY);
    }

    /// A table without routes answers ENOENT.
    ///
    /// @param device 0 for all
    static Request dump(boolean v6, int table, int device) {
        Request request = new Request("list routes of table " + table, GET, Request.DUMP);
        header(request, v6, 0, 0, 0, 0).attribute(RTA_TABLE, table);
        return device == 0 ? request : request.attribute(RTA_OIF, device);
    }

    static Route parse(ByteBuffer message) {
        boolean v6 = message.get(0) == Family.INET6;
        int length = Byte.toUnsignedInt(message.get(1));
        int table = Byte.toUnsignedInt(message.get(4));
        int protocol = Byte.toUnsignedInt(message.get(5));
        Attributes attributes = new Attributes(message.position(HEADER_BYTES));
        IpAddress destination =
                attributes.address(RTA_DST).orElseGet(() -> Prefix.all(v6).address());
        return new Route(
                new Prefix(destination, length),
                attributes.address(RTA_GATEWAY),
                attributes.number(RTA_OIF, 0),
                attributes.number(RTA_TABLE, table),
                attributes.number(RTA_PRIORITY, 0),
                protocol);
    }

    private int scope() {
        return gateway.isEmpty() && !v6() ? SCOPE_LINK : SCOPE_UNIVERSE;
    }

    private Request body(String what, int type, int flags, int scope) {
        Request request = new Request(what + " " + this, type, flags | Request.ACK);
        header(request, v6(), destination.length(), protocol, scope, TYPE_UNICAST)
                .attribute(RTA_TABLE, table);
        if (destination.length() > 0) {
            request.attribute(RTA_DST, destination.address().bytes());
        }
        gateway.ifPresent(address -> request.attribute(RTA_GATEWAY, address.bytes()));
        if (device != 0) {
            request.attribute(RTA_OIF, device);
        }
        return metric == 0 ? request : request.attribute(RTA_PRIORITY, metric);
    }

    /// struct rtmsg: family, destination length, source length, tos, table, protocol, scope, type,
    /// 1 byte each, then flags 4. The table stands in an attribute: it may be above 255.
    private static Request header(
            Request request, boolean v6, int length, int protocol, int scope, int type) {
        return request.u8(Family.of(v6), length, 0, 0, 0, protocol, scope, type).u32(0);
    }

    @Override
    public String toString() {
        return destination
                + gateway.map(address -> " via " + address).orElse("")
                + (device == 0 ? "" : " by device " + device)
                + " in table "
                + table;
    }
}
