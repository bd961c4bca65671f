package io.podledger.ipamd.netlink;

import io.podledger.projections.IpAddress;
import java.nio.ByteBuffer;

/// Which MAC an address has on a device's link.
///
/// @param permanent whether the kernel believes it without asking
public record Neighbour(IpAddress address, Mac mac, int device, boolean permanent) {
    private static final int NEW = 28;
    private static final int GET = 30;
    private static final int NDA_DST = 1;
    private static final int NDA_LLADDR = 2;
    private static final int NDA_IFINDEX = 8;
    private static final int HEADER_BYTES = 12;
    private static final int PERMANENT = 0x80;

    /// Adds the entry, or takes the place of what is known of the address on the device.
    public Request put() {
        int flags = Request.CREATE | Request.REPLACE | Request.ACK;
        return header(
                        new Request("put neighbour " + address, NEW, flags),
                        address.v6(),
                        device,
                        PERMANENT)
                .attribute(NDA_DST, address.bytes())
                .attribute(NDA_LLADDR, mac.bytes());
    }

    static Request dump(boolean v6, int device) {
        return header(new Request("list neighbours", GET, Request.DUMP), v6, 0, 0)
                .attribute(NDA_IFINDEX, device);
    }

    static Neighbour parse(ByteBuffer message) {
        boolean v6 = message.get(0) == Family.INET6;
        int device = message.getInt(4);
        boolean permanent = (message.getShort(8) & PERMANENT) != 0;
        Attributes attributes = new Attributes(message.position(HEADER_BYTES));
        return new Neighbour(
                attributes.address(NDA_DST).orElseGet(() -> Prefix.all(v6).address()),
                Mac.of(attributes.bytes(NDA_LLADDR)),
                device,
                permanent);
    }

    /// struct ndmsg: family 1, pad 3, device 4, state 2, flags 1, type 1.
    private static Request header(Request request, boolean v6, int device, int state) {
        return request.u8(Family.of(v6), 0).u16(0).u32(device).u16(state).u8(0, 0);
    }
}
