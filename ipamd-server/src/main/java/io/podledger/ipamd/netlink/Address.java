package io.podledger.ipamd.netlink;

import io.podledger.projections.IpAddress;
import java.nio.ByteBuffer;

/// An IP address of a device.
///
/// @param usable false while IPv6 still asks whether another host has the address, or found one
public record Address(IpAddress address, int prefixLength, int device, boolean usable) {
    private static final int NEW = 20;
    private static final int GET = 22;
    private static final int IFA_ADDRESS = 1;
    private static final int IFA_LOCAL = 2;
    private static final int IFA_FLAGS = 8;
    private static final int HEADER_BYTES = 8;

    /// An address is in use at once: nobody else can have it, so nobody is asked.
    private static final int NO_DUPLICATE_DETECTION = 0x02;

    private static final int DETECTION_FAILED = 0x08;
    private static final int TENTATIVE = 0x40;

    /// Of the address's full length.
    public static Address host(IpAddress address, int device) {
        return new Address(address, address.bits(), device, true);
    }

    /// Adds the address; changes nothing if the device has it.
    public Request put() {
        return header(
                        new Request(
                                "put address " + address,
                                NEW,
                                Request.CREATE | Request.REPLACE | Request.ACK),
                        address.v6(),
                        prefixLength,
                        address.v6() ? NO_DUPLICATE_DETECTION : 0,
                        device)
                .attribute(IFA_LOCAL, address.bytes())
                .attribute(IFA_ADDRESS, address.bytes());
    }

    static Request dump(boolean v6, int device) {
        return header(new Request("list addresses", GET, Request.DUMP), v6, 0, 0, device);
    }

    static Address parse(ByteBuffer message) {
        int prefixLength = Byte.toUnsignedInt(message.get(1));
        int flags = Byte.toUnsignedInt(message.get(2));
        int device = message.getInt(4);
        Attributes attributes = new Attributes(message.position(HEADER_BYTES));
        IpAddress address =
                attributes
                        .address(IFA_LOCAL)
                        .or(() -> attributes.address(IFA_ADDRESS))
                        .orElseThrow();
        boolean usable =
                (attributes.number(IFA_FLAGS, flags) & (TENTATIVE | DETECTION_FAILED)) == 0;
        return new Address(address, prefixLength, device, usable);
    }

    /// struct ifaddrmsg: family 1, prefix length 1, flags 1, scope 1, device 4.
    private static Request header(
            Request request, boolean v6, int prefixLength, int flags, int device) {
        return request.u8(Family.of(v6), prefixLength, flags, 0).u32(device);
    }
}
