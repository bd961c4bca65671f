package io.podledger.ipamd.netlink;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Gathers the kernel's answers to a batch of requests. A message with a sequence number of no
/// request of this batch is late, and is dropped.
final class Replies {
    /// The kernel never writes a longer datagram to us: it sizes lists by the reader's buffer, up
    /// to 32 KiB.
    static final int DATAGRAM_BYTES_MAX = 32 * 1024;

    static final int ERROR = 2;
    static final int DONE = 3;

    private static final int EXPLANATION = 1;

    private final List<Request> requests;
    private final int first;
    private final Answer[] answers;
    private final ByteBuffer[] bodies;
    private int missing;

    Replies(List<Request> requests, int first) {
        this.requests = requests;
        this.first = first;
        this.answers = new Answer[requests.size()];
        this.bodies = new ByteBuffer[requests.size()];
        this.missing = requests.size();
    }

    boolean complete() {
        return missing == 0;
    }

    String what() {
        return requests.getFirst().what();
    }

    List<Answer> answers() {
        return Arrays.asList(answers);
    }

    void take(ByteBuffer datagram) {
        for (Message message : messages(datagram)) {
            int at = message.sequence() - first;
            if (at < 0 || at >= answers.length) {
                continue;
            }
            if (message.type() == ERROR) {
                finish(at, message.body());
            } else {
                bodies[at] = message.body();
            }
        }
    }

    /// The error's body: errno 4, negated, then the request's header 16, then attributes.
    private void finish(int at, ByteBuffer error) {
        int errno = -error.getInt(0);
        String explanation = "";
        if (errno != 0 && error.limit() > 4 + Request.HEADER_BYTES) {
            Attributes attributes = new Attributes(error.position(4 + Request.HEADER_BYTES));
            explanation = attributes.text(EXPLANATION);
        }
        missing -= answers[at] == null ? 1 : 0;
        answers[at] =
                new Answer(
                        requests.get(at).what(),
                        errno,
                        explanation,
                        Optional.ofNullable(bodies[at]));
    }

    record Message(int type, int flags, int sequence, ByteBuffer body) {}

    /// Copies the messages out of a datagram.
    static List<Message> messages(ByteBuffer datagram) {
        List<Message> messages = new ArrayList<>();
        int at = 0;
        while (datagram.limit() - at >= Request.HEADER_BYTES) {
            int length = datagram.getInt(at);
            if (length < Request.HEADER_BYTES || length > datagram.limit() - at) {
                break;
            }
            byte[] body = new byte[length - Request.HEADER_BYTES];
            datagram.get(at + Request.HEADER_BYTES, body);
            messages.add(
                    new Message(
                            Short.toUnsignedInt(datagram.getShort(at + 4)),
                            Short.toUnsignedInt(datagram.getShort(at + 6)),
                            datagram.getInt(at + 8),
                            order(ByteBuffer.wrap(body))));
            at += (length + 3) & ~3;
        }
        return messages;
    }

    /// Netlink speaks the machine's own byte order.
    static ByteBuffer order(ByteBuffer bytes) {
        return bytes.order(ByteOrder.nativeOrder());
    }
}
