package io.podledger.ipamd.netlink;

/// The kernel's error numbers that mean something to us: the same on x86_64 and aarch64.
public final class Errno {
    public static final int ENOENT = 2;
    public static final int ESRCH = 3;
    public static final int EINTR = 4;
    public static final int EAGAIN = 11;
    public static final int EEXIST = 17;
    public static final int ENODEV = 19;

    private Errno() {}
}
