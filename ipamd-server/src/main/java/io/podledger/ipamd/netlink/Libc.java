package io.podledger.ipamd.netlink;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;

/// The few C functions that Java has no door to. Each returns what the function does, or the
/// negated errno.
final class Libc {
    static final int CLOEXEC = 0x80000;
    static final int CLONE_NEWNET = 0x4000_0000;

    private static final int MSG_TRUNC = 0x20;
    private static final long NS_GET_NSTYPE = 0xb703;
    private static final long MESSAGE_BYTES_MAX = 256;

    // struct statx of linux/stat.h, the same on every architecture.
    private static final int AT_EMPTY_PATH = 0x1000;
    private static final int STATX_INO = 0x100;
    private static final long STATX_BYTES = 256;
    private static final long STX_INO = 32;
    private static final long STX_DEV_MAJOR = 136;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO = STATE.byteOffset(PathElement.groupElement("errno"));
    private static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    private static final MethodHandle SOCKET =
            handle("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle SETSOCKOPT =
            handle(
                    "setsockopt",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SEND =
            handle(
                    "send",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle RECV =
            handle(
                    "recv",
                    FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG, JAVA_INT));
    private static final MethodHandle CLOSE =
            handle("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle OPEN =
            handle(
                    "open",
                    FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle SETNS =
            handle("setns", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle IOCTL =
            handle(
                    "ioctl",
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG),
                    Linker.Option.firstVariadicArg(2));
    private static final MethodHandle STATX =
            handle(
                    "statx",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle STRERROR =
            handle("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));

    private Libc() {}

    static int socket(int domain, int type, int protocol) {
        return (int) result(state -> (int) SOCKET.invokeExact(state, domain, type, protocol));
    }

    static int setsockopt(int fd, int level, int name, MemorySegment value) {
        int size = (int) value.byteSize();
        return (int)
                result(state -> (int) SETSOCKOPT.invokeExact(state, fd, level, name, value, size));
    }

    static long send(int fd, MemorySegment bytes) {
        return result(state -> (long) SEND.invokeExact(state, fd, bytes, bytes.byteSize(), 0));
    }

    /// @return the datagram's whole size, also where `buffer` was too small for it
    static long receive(int fd, MemorySegment buffer) {
        return result(
                state -> (long) RECV.invokeExact(state, fd, buffer, buffer.byteSize(), MSG_TRUNC));
    }

    static int close(int fd) {
        return (int) result(state -> (int) CLOSE.invokeExact(state, fd));
    }

    /// Opens for reading.
    static int open(String path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocateFrom(path);
            return (int) result(state -> (int) OPEN.invokeExact(state, name, CLOEXEC));
        }
    }

    /// Moves the calling operating system thread into a network namespace.
    static int enterNetwork(int fd) {
        return (int) result(state -> (int) SETNS.invokeExact(state, fd, CLONE_NEWNET));
    }

    /// @return a CLONE_NEW* flag; an error (ENOTTY) if the descriptor is not a namespace's
    static int namespaceType(int fd) {
        return (int) result(state -> (int) IOCTL.invokeExact(state, fd, NS_GET_NSTYPE));
    }

    /// What a descriptor leads to.
    ///
    /// @return st_dev and st_ino as in stat(2), or nothing but the negated errno
    static long[] identity(int fd) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment itself = arena.allocateFrom("");
            MemorySegment statx = arena.allocate(STATX_BYTES);
            long result =
                    result(
                            state ->
                                    (int)
                                            STATX.invokeExact(
                                                    state,
                                                    fd,
                                                    itself,
                                                    AT_EMPTY_PATH,
                                                    STATX_INO,
                                                    statx));
            long major = statx.get(JAVA_INT, STX_DEV_MAJOR);
            long minor = statx.get(JAVA_INT, STX_DEV_MAJOR + Integer.BYTES);
            return result < 0
                    ? new long[] {result}
                    : new long[] {device(major, minor), statx.get(JAVA_LONG, STX_INO)};
        }
    }

    /// As the C library's makedev().
    private static long device(long major, long minor) {
        return (major & 0xffff_f000L) << 32
                | (major & 0xfff) << 8
                | (minor & 0xffff_ff00L) << 12
                | (minor & 0xff);
    }

    /// The error in words, such as `File exists`.
    @SuppressWarnings("restricted")
    static String message(int errno) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            MemorySegment text = (MemorySegment) STRERROR.invokeExact(state, errno);
            return text.reinterpret(MESSAGE_BYTES_MAX).getString(0);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @SuppressWarnings("restricted")
    private static MethodHandle handle(
            String name, FunctionDescriptor type, Linker.Option... options) {
        Linker.Option[] all = new Linker.Option[options.length + 1];
        all[0] = CAPTURE;
        System.arraycopy(options, 0, all, 1, options.length);
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type, all);
    }

    private interface Call {
        long invoke(MemorySegment state) throws Throwable;
    }

    private static long result(Call call) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment state = arena.allocate(STATE);
            long result = call.invoke(state);
            return result < 0 ? -state.get(JAVA_INT, ERRNO) : result;
        } catch (Throwable e) {
            throw new IllegalStateException("a call into the C library broke", e);
        }
    }
}
