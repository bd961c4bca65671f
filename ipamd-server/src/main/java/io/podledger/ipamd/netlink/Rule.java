package io.podledger.ipamd.netlink;

import io.podledger.projections.IpAddress;
import java.nio.ByteBuffer;

/// A routing rule that sends packets from or to some addresses to a table.
///
/// @param priority the lowest is asked first
/// @param other whether the rule has conditions, or an action, that this record cannot show
public record Rule(int priority, Prefix from, Prefix to, int table, int protocol, boolean other) {
    /// In [#delete]: whatever the rule's table is.
    public static final int ANY_TABLE = 0;

    private static final int NEW = 32;
    private static final int DELETE = 33;
    private static final int GET = 34;
    private static final int FRA_DST = 1;
    private static final int FRA_SRC = 2;
    private static final int FRA_IIFNAME = 3;
    private static final int FRA_PRIORITY = 6;
    private static final int FRA_FWMARK = 10;
    private static final int FRA_TABLE = 15;
    private static final int FRA_OIFNAME = 17;
    private static final int FRA_PROTOCOL = 21;
    private static final int HEADER_BYTES = 12;
    private static final int ACTION_TO_TABLE = 1;

    public static Rule from(IpAddress address, int priority, int table, int protocol) {
        Prefix all = Prefix.all(address.v6());
        return new Rule(priority, Prefix.host(address), all, table, protocol, false);
    }

    public static Rule to(IpAddress address, int priority, int table, int protocol) {
        Prefix all = Prefix.all(address.v6());
        return new Rule(priority, all, Prefix.host(address), table, protocol, false);
    }

    public boolean v6() {
        return from.address().v6();
    }

    /// Fails with EEXIST if there is such a rule, whoever made it.
    public Request add() {
        return body("add rule", NEW, Request.CREATE | Request.EXCLUSIVE);
    }

    /// Deletes the first such rule of this protocol; ENOENT if there is none.
    public Request delete() {
        return body("delete rule", DELETE, 0);
    }

    static Request dump(boolean v6) {
        return header(new Request("list rules", GET, Request.DUMP), v6, 0, 0, 0);
    }

    static Rule parse(ByteBuffer message) {
        boolean v6 = message.get(0) == Family.INET6;
        int to = Byte.toUnsignedInt(message.get(1));
        int from = Byte.toUnsignedInt(message.get(2));
        int table = Byte.toUnsignedInt(message.get(4));
        int action = Byte.toUnsignedInt(message.get(7));
        Attributes attributes = new Attributes(message.position(HEADER_BYTES));
        boolean other =
                action != ACTION_TO_TABLE
                        || !attributes.text(FRA_IIFNAME).isEmpty()
                        || !attributes.text(FRA_OIFNAME).isEmpty()
                        || attributes.number(FRA_FWMARK, 0) != 0;
        IpAddress all = Prefix.all(v6).address();
        return new Rule(
                attributes.number(FRA_PRIORITY, 0),
                new Prefix(attributes.address(FRA_SRC).orElse(all), from),
                new Prefix(attributes.address(FRA_DST).orElse(all), to),
                attributes.number(FRA_TABLE, table),
                attributes.number(FRA_PROTOCOL, 0),
                other);
    }

    private Request body(String what, int type, int flags) {
        Request request = new Request(what + " " + this, type, flags | Request.ACK);
        header(request, v6(), to.length(), from.length(), ACTION_TO_TABLE);
        if (to.length() > 0) {
            request.attribute(FRA_DST, to.address().bytes());
        }
        if (from.length() > 0) {
            request.attribute(FRA_SRC, from.address().bytes());
        }
        if (table != ANY_TABLE) {
            request.attribute(FRA_TABLE, table);
        }
        return request.attribute(FRA_PRIORITY, priority)
                .attribute(FRA_PROTOCOL, new byte[] {(byte) protocol});
    }

    /// struct fib_rule_hdr: family, destination length, source length, tos, table, two reserved,
    /// action, 1 byte each, then flags 4. The table stands in an attribute.
    private static Request header(Request request, boolean v6, int to, int from, int action) {
        return request.u8(Family.of(v6), to, from, 0, 0, 0, 0, action).u32(0);
    }

    @Override
    public String toString() {
        return priority
                + ":"
                + (from.length() == 0 ? "" : " from " + from)
                + (to.length() == 0 ? "" : " to " + to)
                + (table == ANY_TABLE ? "" : " lookup " + table);
    }
}
