package io.podledger.ipamd.netlink;

import java.nio.ByteBuffer;

/// The question by which number a network namespace knows another one.
final class NamespaceNumber {
    private static final int GET = 90;
    private static final int NETNSA_NSID = 1;
    private static final int NETNSA_FD = 3;
    private static final int HEADER_BYTES = 4;

    private NamespaceNumber() {}

    static Request get(int namespace) {
        return new Request("look up a namespace", GET, Request.ACK)
                .u32(0)
                .attribute(NETNSA_FD, namespace);
    }

    static int parse(ByteBuffer message) {
        return new Attributes(message.position(HEADER_BYTES)).number(NETNSA_NSID, -1);
    }
}
