package io.podledger.ipamd.netlink;

import io.podledger.projections.IpAddress;

/// A block of addresses as routes and rules name it.
public record Prefix(IpAddress address, int length) {
    /// One address alone.
    public static Prefix host(IpAddress address) {
        return new Prefix(address, address.bits());
    }

    /// All addresses of a family.
    public static Prefix all(boolean v6) {
        return new Prefix(new IpAddress(v6, 0, 0), 0);
    }

    @Override
    public String toString() {
        return length == 0 ? "default" : address + "/" + length;
    }
}
