package io.podledger.ipamd.netlink;

import java.nio.file.Path;

/// A network namespace held open by a descriptor of our own.
///
/// @param fd the descriptor, until [#close]
public record OpenNamespace(int fd) implements AutoCloseable {
    public static OpenNamespace at(Path path) throws NetlinkException {
        int fd = Libc.open(path.toString());
        if (fd < 0) {
            throw new NetlinkException("open " + path, -fd);
        }
        return new OpenNamespace(fd);
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
