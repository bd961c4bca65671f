package io.podledger.ipamd.cni;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.DomainSocketReadMode;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The socket that the plugin calls: one request and one response a connection, root alone.
public final class CniServer implements AutoCloseable {
    private static final int READ_BYTES = 65_536;
    private static final int BACKLOG = 1_024;

    /// sun_path of unix(7), without its NUL.
    private static final int PATH_BYTES_MAX = 107;

    private static final Logger LOG = LoggerFactory.getLogger(CniServer.class);

    private final EventLoopGroup threads =
            new MultiThreadIoEventLoopGroup(
                    1,
                    Thread.ofPlatform().name("cni").daemon().factory(),
                    EpollIoHandler.newFactory());
    private final CniLoad load = new CniLoad();
    private final Path socket;
    private final Channel listening;

    private CniServer(Path socket, CniService service, String bootId) throws IOException {
        this.socket = socket;
        try {
            listening = listening(service, bootId);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private Channel listening(CniService service, String bootId) throws IOException {
        Path fresh = socket.resolveSibling(socket.getFileName() + ".new");
        if (fresh.toString().getBytes(StandardCharsets.UTF_8).length > PATH_BYTES_MAX) {
            throw new IOException(
                    "the path of a socket has at most " + PATH_BYTES_MAX + " bytes: " + fresh);
        }
        requireUnanswered(socket);
        Files.deleteIfExists(fresh);
        Channel channel =
                new ServerBootstrap()
                        .group(threads)
                        .channel(EpollServerDomainSocketChannel.class)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .childOption(
                                EpollChannelOption.DOMAIN_SOCKET_READ_MODE,
                                DomainSocketReadMode.FILE_DESCRIPTORS)
                        // A second message of one read would take a byte of the frame for another
                        // descriptor.
                        .childOption(
                                ChannelOption.RECVBUF_ALLOCATOR,
                                new FixedRecvByteBufAllocator(READ_BYTES).maxMessagesPerRead(1))
                        .childHandler(
                                new ChannelInitializer<EpollDomainSocketChannel>() {
                                    @Override
                                    protected void initChannel(EpollDomainSocketChannel channel) {
                                        channel.pipeline()
                                                .addLast(new CniConnection(service, bootId, load));
                                    }
                                })
                        .bind(new DomainSocketAddress(fresh.toFile()))
                        .syncUninterruptibly()
                        .channel();
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rw-------"));
        Files.move(fresh, socket, StandardCopyOption.ATOMIC_MOVE);
        return channel;
    }

    /// Two daemons of one socket would give the same addresses out of two journals.
    private static void requireUnanswered(Path socket) throws IOException {
        try (SocketChannel caller = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            // A full backlog is no refusal either.
            caller.configureBlocking(false);
            caller.connect(UnixDomainSocketAddress.of(socket));
        } catch (SocketException _) {
            return;
        }
        throw new IOException("another daemon answers there: stop it, or use another folder");
    }

    /// Listens on `socket`, in place of what an earlier process left there. The file has mode 0600
    /// from the moment that it bears its name.
    public static CniServer listen(Path socket, CniService service, String bootId)
            throws IOException {
        return new CniServer(socket, service, bootId);
    }

    /// Takes no more connections; those that are open are still served.
    public void stopAccepting() {
        try {
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            LOG.warn("{} cannot be removed: {}", socket, e.toString());
        }
        listening.close().syncUninterruptibly();
    }

    @Override
    public void close() {
        threads.shutdownGracefully(0, 1, TimeUnit.SECONDS)
                .awaitUninterruptibly(2, TimeUnit.SECONDS);
    }
}
