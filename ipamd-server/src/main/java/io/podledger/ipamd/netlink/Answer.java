package io.podledger.ipamd.netlink;

import java.nio.ByteBuffer;
import java.util.Optional;

/// What the kernel said to one request.
///
/// @param what the request in words
/// @param errno 0 for success
/// @param message the kernel's own explanation of the error, may be empty
/// @param body the object that was asked for, without the netlink header
public record Answer(String what, int errno, String message, Optional<ByteBuffer> body) {
    /// @throws NetlinkException if the kernel refused
    public void orThrow() throws NetlinkException {
        if (errno != 0) {
            throw new NetlinkException(what, errno, explanation());
        }
    }

    /// The error in words, the kernel's own explanation behind it.
    public String explanation() {
        return Libc.message(errno) + (message.isEmpty() ? "" : " (" + message + ")");
    }
}
