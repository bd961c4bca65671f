package io.podledger.ipamd.netlink;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// One rtnetlink socket. It belongs to the network namespace in which it was made, whoever uses it;
/// one thread at a time may.
public final class Netlink implements AutoCloseable {
    /// How long the kernel may be silent, in seconds. It answers in microseconds; a second passes
    /// only where something else holds the kernel's routing lock.
    private static final long SILENCE_SECONDS_MAX = 5;

    /// A list that changed while it was read is read again at most so often.
    private static final int DUMP_TRIES_MAX = 16;

    private static final int ROUTE = 0;
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW = 3;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVTIMEO = 20;
    private static final int SOL_NETLINK = 270;
    private static final int CAP_ACK = 10;
    private static final int EXT_ACK = 11;
    private static final int GET_STRICT_CHK = 12;

    private final int fd;
    private int sequence;

    private Netlink(int fd) {
        this.fd = fd;
    }

    /// A socket in the calling thread's network namespace.
    ///
    /// @throws IllegalStateException on a virtual thread, which has no namespace of its own
    public static Netlink here() throws NetlinkException {
        Namespaces.requirePlatformThread();
        int fd = Libc.socket(AF_NETLINK, SOCK_RAW | Libc.CLOEXEC, ROUTE);
        if (fd < 0) {
            throw new NetlinkException("open a netlink socket", -fd);
        }
        Netlink netlink = new Netlink(fd);
        try {
            netlink.configure();
            return netlink;
        } catch (NetlinkException e) {
            netlink.close();
            throw e;
        }
    }

    /// A socket in another network namespace. The calling thread stays where it is.
    ///
    /// @param namespace descriptor of an open network namespace
    /// @throws IllegalStateException on a virtual thread
    public static Netlink in(int namespace) throws NetlinkException {
        return Namespaces.visit(namespace, Netlink::here);
    }

    /// Sends all requests at once: the kernel carries out each, also after one that failed.
    ///
    /// @return one answer for each request, in their order
    public List<Answer> ask(List<Request> requests) throws NetlinkException {
        if (requests.isEmpty()) {
            return List.of();
        }
        int first = sequence + 1;
        sequence += requests.size();
        send(requests, first);
        Replies replies = new Replies(requests, first);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Replies.DATAGRAM_BYTES_MAX, 8);
            while (!replies.complete()) {
                replies.take(receive(buffer, replies.what()));
            }
        }
        return replies.answers();
    }

    /// @throws NetlinkException for the first of the requests that the kernel refused
    public void order(List<Request> requests) throws NetlinkException {
        for (Answer answer : ask(requests)) {
            answer.orThrow();
        }
    }

    public Optional<Link> link(String name) throws NetlinkException {
        return found(ask(List.of(Link.get(name))).getFirst());
    }

    /// The device that a request like [Link#createVeth] made or met, and that request's answer, in
    /// one message.
    public Made make(Request request, String name) throws NetlinkException {
        List<Answer> answers = ask(List.of(request, Link.get(name)));
        return new Made(answers.get(0), found(answers.get(1)));
    }

    /// @param link the device of that name after the request, whoever made it
    public record Made(Answer answer, Optional<Link> link) {}

    /// The number by which the kernel names another namespace in this one; negative if it has none.
    ///
    /// @param namespace descriptor of an open network namespace
    public int namespaceNumber(int namespace) throws NetlinkException {
        Answer answer = ask(List.of(NamespaceNumber.get(namespace))).getFirst();
        answer.orThrow();
        return answer.body().map(NamespaceNumber::parse).orElse(-1);
    }

    public List<Link> links() throws NetlinkException {
        return dump(Link.dump(), Link::parse);
    }

    public List<Address> addresses(boolean v6, int device) throws NetlinkException {
        return dump(Address.dump(v6, device), Address::parse).stream()
                .filter(address -> address.device() == device)
                .toList();
    }

    /// @param device index of a device, or 0 for all
    public List<Route> routes(boolean v6, int table, int device) throws NetlinkException {
        return dump(Route.dump(v6, table, device), Route::parse).stream()
                .filter(route -> route.v6() == v6 && route.table() == table)
                .filter(route -> device == 0 || route.device() == device)
                .toList();
    }

    public List<Rule> rules(boolean v6) throws NetlinkException {
        return dump(Rule.dump(v6), Rule::parse).stream().filter(rule -> rule.v6() == v6).toList();
    }

    public List<Neighbour> neighbours(boolean v6, int device) throws NetlinkException {
        return dump(Neighbour.dump(v6, device), Neighbour::parse).stream()
                .filter(neighbour -> neighbour.device() == device)
                .toList();
    }

    @Override
    public void close() {
        Libc.close(fd);
    }

    private static Optional<Link> found(Answer answer) throws NetlinkException {
        if (answer.errno() == Errno.ENODEV) {
            return Optional.empty();
        }
        answer.orThrow();
        return answer.body().map(Link::parse);
    }

    private <T> List<T> dump(Request request, Function<ByteBuffer, T> parser)
            throws NetlinkException {
        for (int i = 0; i < DUMP_TRIES_MAX; i++) {
            Optional<List<T>> list = tryDump(request, parser);
            if (list.isPresent()) {
                return list.get();
            }
        }
        throw new NetlinkException(
                request.what(), 0, "it changed each of " + DUMP_TRIES_MAX + " times it was read");
    }

    /// Empty if the list changed while the kernel wrote it down.
    private <T> Optional<List<T>> tryDump(Request request, Function<ByteBuffer, T> parser)
            throws NetlinkException {
        send(List.of(request), ++sequence);
        Dump dump = new Dump(request.what(), sequence);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(Replies.DATAGRAM_BYTES_MAX, 8);
            while (!dump.complete()) {
                dump.take(receive(buffer, request.what()));
            }
        }
        if (dump.interrupted()) {
            return Optional.empty();
        }
        List<T> list = new ArrayList<>();
        for (ByteBuffer body : dump.bodies()) {
            list.add(parser.apply(body));
        }
        return Optional.of(list);
    }

    private void send(List<Request> requests, int first) throws NetlinkException {
        try (Arena arena = Arena.ofConfined()) {
            List<byte[]> encoded = new ArrayList<>();
            int size = 0;
            for (Request request : requests) {
                byte[] bytes = request.encoded(first + encoded.size());
                encoded.add(bytes);
                size += bytes.length;
            }
            MemorySegment datagram = arena.allocate(size, 4);
            long position = 0;
            for (byte[] bytes : encoded) {
                MemorySegment.copy(
                        bytes, 0, datagram, ValueLayout.JAVA_BYTE, position, bytes.length);
                position += bytes.length;
            }
            long sent = Libc.send(fd, datagram);
            if (sent < 0) {
                throw new NetlinkException(requests.getFirst().what(), (int) -sent);
            }
        }
    }

    private ByteBuffer receive(MemorySegment buffer, String what) throws NetlinkException {
        long size = Libc.receive(fd, buffer);
        for (int i = 0; size == -Errno.EINTR && i < DUMP_TRIES_MAX; i++) {
            size = Libc.receive(fd, buffer);
        }
        if (size == -Errno.EAGAIN) {
            throw new NetlinkException(
                    what, 0, "the kernel did not answer in " + SILENCE_SECONDS_MAX + " s");
        }
        if (size < 0) {
            throw new NetlinkException(what, (int) -size);
        }
        if (size > buffer.byteSize()) {
            throw new NetlinkException(what, 0, "the kernel's answer has " + size + " bytes");
        }
        return Replies.order(buffer.asSlice(0, size).asByteBuffer());
    }

    private void configure() throws NetlinkException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment timeval = arena.allocate(16, 8);
            timeval.set(ValueLayout.JAVA_LONG, 0, SILENCE_SECONDS_MAX);
            option(SOL_SOCKET, SO_RCVTIMEO, timeval);
            MemorySegment on = arena.allocateFrom(ValueLayout.JAVA_INT, 1);
            option(SOL_NETLINK, CAP_ACK, on);
            option(SOL_NETLINK, EXT_ACK, on);
            option(SOL_NETLINK, GET_STRICT_CHK, on);
        }
    }

    private void option(int level, int name, MemorySegment value) throws NetlinkException {
        int result = Libc.setsockopt(fd, level, name, value);
        if (result < 0) {
            throw new NetlinkException("set option " + name + " of a netlink socket", -result);
        }
    }
}
