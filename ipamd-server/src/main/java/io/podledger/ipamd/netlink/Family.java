package io.podledger.ipamd.netlink;

/// The numbers of the two address families.
final class Family {
    static final int INET = 2;
    static final int INET6 = 10;

    private Family() {}

    static int of(boolean v6) {
        return v6 ? INET6 : INET;
    }
}
