package io.podledger.ipamd.netlink;

import java.io.IOException;
import java.io.Serial;

/// The kernel refused a request, or did not answer it.
public final class NetlinkException extends IOException {
    @Serial private static final long serialVersionUID = 1;

    private final int errno;

    /// @param what the thing that was asked for, for people
    /// @param errno the kernel's error number, positive, or 0 where the kernel gave none
    public NetlinkException(String what, int errno, String why) {
        super(what + ": " + why);
        this.errno = errno;
    }

    NetlinkException(String what, int errno) {
        this(what, errno, Libc.message(errno));
    }

    public int errno() {
        return errno;
    }
}
