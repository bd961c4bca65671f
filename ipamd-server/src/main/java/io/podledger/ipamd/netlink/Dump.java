package io.podledger.ipamd.netlink;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Gathers a list that the kernel sends in many messages.
final class Dump {
    /// Set in a message when the list changed since the one before it.
    private static final int INTERRUPTED = 0x10;

    private final String what;
    private final int sequence;
    private final List<ByteBuffer> bodies = new ArrayList<>();
    private boolean interrupted;
    private boolean complete;

    Dump(String what, int sequence) {
        this.what = what;
        this.sequence = sequence;
    }

    boolean complete() {
        return complete;
    }

    boolean interrupted() {
        return interrupted;
    }

    List<ByteBuffer> bodies() {
        return bodies;
    }

    void take(ByteBuffer datagram) throws NetlinkException {
        for (Replies.Message message : Replies.messages(datagram)) {
            if (message.sequence() != sequence) {
                continue;
            }
            interrupted |= (message.flags() & INTERRUPTED) != 0;
            if (message.type() == Replies.DONE || message.type() == Replies.ERROR) {
                finish(-message.body().getInt(0));
            } else {
                bodies.add(message.body());
            }
        }
    }

    /// An object or table to list by that does not exist has an empty list.
    private void finish(int errno) throws NetlinkException {
        complete = true;
        if (errno != 0 && errno != Errno.ENOENT && errno != Errno.ENODEV) {
            throw new NetlinkException(what, errno);
        }
    }
}
