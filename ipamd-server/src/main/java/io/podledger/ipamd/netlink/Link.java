package io.podledger.ipamd.netlink;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// A network device.
///
/// @param peer index of the other end, in whatever namespace that is; 0 for a device without one
/// @param peerNamespace the host's own number of the namespace that the other end is in, see
///   [Netlink#namespaceNumber]; negative if it is in the device's own
/// @param alias the free text that an administrator, or we, put on it; may be empty
public record Link(
        int index,
        String name,
        boolean up,
        Mac mac,
        int mtu,
        int peer,
        int peerNamespace,
        String alias) {
    /// A new network namespace's loopback device always has this index.
    public static final int LOOPBACK = 1;

    /// The kernel takes this many bytes of alias and no more.
    public static final int ALIAS_BYTES_MAX = 255;

    private static final int NEW = 16;
    private static final int DELETE = 17;
    private static final int GET = 18;

    private static final int IFLA_ADDRESS = 1;
    private static final int IFLA_IFNAME = 3;
    private static final int IFLA_MTU = 4;
    private static final int IFLA_LINK = 5;
    private static final int IFLA_LINKINFO = 18;
    private static final int IFLA_IFALIAS = 20;
    private static final int IFLA_AF_SPEC = 26;
    private static final int IFLA_NET_NS_FD = 28;
    private static final int IFLA_LINK_NETNSID = 37;
    private static final int IFLA_INFO_KIND = 1;
    private static final int IFLA_INFO_DATA = 2;
    private static final int VETH_INFO_PEER = 1;
    private static final int IFLA_INET6_ADDR_GEN_MODE = 8;

    private static final int HEADER_BYTES = 16;
    private static final int AF_INET6 = 10;
    private static final int ADDR_GEN_NONE = 1;
    private static final int IFF_UP = 1;

    /// One end of a veth pair that is to be.
    public record End(String name, Mac mac) {}

    /// Both ends in one message: no other process ever sees a half-made pair, or a MAC that the
    /// kernel thought up (udev replaces those). It must not bring the ends up (ENOTCONN).
    ///
    /// @param namespace descriptor of the network namespace that `there` is born in
    public static Request createVeth(End here, End there, int namespace, int mtu) {
        Request request =
                new Request(
                        "create device " + here.name(),
                        NEW,
                        Request.CREATE | Request.EXCLUSIVE | Request.ACK);
        end(request, here, mtu);
        return request.nested(
                IFLA_LINKINFO,
                info -> {
                    info.attribute(IFLA_INFO_KIND, "veth");
                    info.nested(IFLA_INFO_DATA, data -> peer(data, there, namespace, mtu));
                });
    }

    private static void peer(Request data, End there, int namespace, int mtu) {
        data.nested(
                VETH_INFO_PEER,
                peer -> {
                    end(peer, there, mtu);
                    peer.attribute(IFLA_NET_NS_FD, namespace);
                });
    }

    private static void end(Request request, End end, int mtu) {
        header(request, 0, false)
                .attribute(IFLA_IFNAME, end.name())
                .attribute(IFLA_ADDRESS, end.mac().bytes())
                .attribute(IFLA_MTU, mtu);
    }

    /// The kernel ignores an alias in the creating message, so this is a message of its own.
    public static Request setAlias(int index, String alias) {
        return header(change("mark device " + index), index, false)
                .attribute(IFLA_IFALIAS, alias.getBytes(StandardCharsets.UTF_8));
    }

    /// Keeps the kernel from giving the device an IPv6 link-local address of its own.
    public static Request withoutLinkLocal(int index) {
        return header(change("configure IPv6 of device " + index), index, false)
                .nested(
                        IFLA_AF_SPEC,
                        families ->
                                families.nested(
                                        AF_INET6,
                                        v6 ->
                                                v6.attribute(
                                                        IFLA_INET6_ADDR_GEN_MODE,
                                                        new byte[] {ADDR_GEN_NONE})));
    }

    public static Request setMac(int index, Mac mac) {
        return header(change("set the MAC of device " + index), index, false)
                .attribute(IFLA_ADDRESS, mac.bytes());
    }

    public static Request setMtu(int index, int mtu) {
        return header(change("set the MTU of device " + index), index, false)
                .attribute(IFLA_MTU, mtu);
    }

    public static Request setUp(int index) {
        return header(change("bring up device " + index), index, true);
    }

    public static Request delete(int index) {
        return header(new Request("delete device " + index, DELETE, Request.ACK), index, false);
    }

    static Request get(String name) {
        return header(new Request("look at device " + name, GET, Request.ACK), 0, false)
                .attribute(IFLA_IFNAME, name);
    }

    static Request dump() {
        return header(new Request("list devices", GET, Request.DUMP), 0, false);
    }

    static Link parse(ByteBuffer message) {
        int index = message.getInt(4);
        boolean up = (message.getInt(8) & IFF_UP) != 0;
        Attributes attributes = new Attributes(message.position(HEADER_BYTES));
        return new Link(
                index,
                attributes.text(IFLA_IFNAME),
                up,
                Mac.of(attributes.bytes(IFLA_ADDRESS)),
                attributes.number(IFLA_MTU, 0),
                attributes.number(IFLA_LINK, 0),
                attributes.number(IFLA_LINK_NETNSID, -1),
                attributes.text(IFLA_IFALIAS));
    }

    private static Request change(String what) {
        return new Request(what, NEW, Request.ACK);
    }

    /// struct ifinfomsg: family 1, pad 1, type 2, index 4, flags 4, mask of changed flags 4.
    private static Request header(Request request, int index, boolean up) {
        return request.u8(0, 0).u16(0).u32(index).u32(up ? IFF_UP : 0).u32(up ? IFF_UP : 0);
    }
}
