package io.podledger.ipamd.cni;

import static io.netty.channel.ChannelFutureListener.CLOSE;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.unix.DomainSocketReadMode;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.concurrent.ScheduledFuture;
import io.podledger.ipamd.netlink.Namespaces;
import io.podledger.ipamd.netlink.NetlinkException;
import io.podledger.ipamd.wiring.HeldNamespace;
import io.podledger.shim.CniFrame;
import io.podledger.shim.CniRequest;
import io.podledger.shim.CniResponse;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// One connection: the descriptor, the frame, the answer, the end.
final class CniConnection extends ChannelInboundHandlerAdapter {
    /// A request arrives whole within this time: the plugin sends it in one go.
    private static final int REQUEST_SECONDS_MAX = 5;

    private static final ByteString ADD = ByteString.copyFromUtf8("ADD");
    private static final ByteString CHECK = ByteString.copyFromUtf8("CHECK");
    private static final Logger LOG = LoggerFactory.getLogger(CniConnection.class);

    private final CniService service;
    private final String bootId;
    private final CniLoad load;
    private final ByteBuf received = Unpooled.buffer(1_024, CniFrame.BYTES_MAX);
    private Optional<FileDescriptor> descriptor = Optional.empty();
    private Optional<ScheduledFuture<?>> deadline = Optional.empty();
    private int bytes;
    private boolean dispatched;

    /// @param load of all connections of the server, to be touched on its one thread alone
    CniConnection(CniService service, String bootId, CniLoad load) {
        this.service = service;
        this.bootId = bootId;
        this.load = load;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) throws Exception {
        EpollDomainSocketChannel channel = (EpollDomainSocketChannel) context.channel();
        if (!load.opened()) {
            LOG.warn("{} connections are open: a further one is closed", CniLoad.CONNECTIONS_MAX);
            context.close();
        } else if (channel.peerCredentials().uid() != 0) {
            LOG.warn(
                    "a caller with uid {} is refused: only root may call",
                    channel.peerCredentials().uid());
            context.close();
        } else {
            deadline =
                    Optional.of(
                            context.executor()
                                    .schedule(
                                            () -> context.close(),
                                            REQUEST_SECONDS_MAX,
                                            TimeUnit.SECONDS));
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof FileDescriptor sent) {
            descriptor.ifPresent(CniConnection::close);
            descriptor = Optional.of(sent);
            ((EpollDomainSocketChannel) context.channel())
                    .config()
                    .setReadMode(DomainSocketReadMode.BYTES);
        } else if (message instanceof ByteBuf sent) {
            try {
                read(context, sent);
            } finally {
                sent.release();
            }
        }
    }

    private void read(ChannelHandlerContext context, ByteBuf sent) {
        // What follows the frame is nothing that we know.
        if (dispatched) {
            return;
        }
        bytes += sent.readableBytes();
        if (!load.received(sent.readableBytes())
                || sent.readableBytes() > received.maxWritableBytes()) {
            context.close();
            return;
        }
        received.writeBytes(sent);
        takeFrame(context);
    }

    private void takeFrame(ChannelHandlerContext context) {
        byte[] head = new byte[Math.min(received.readableBytes(), CniFrame.HEADER_BYTES)];
        received.getBytes(0, head);
        try {
            int length = CniFrame.frameBytes(head);
            if (length > 0 && received.readableBytes() >= length) {
                dispatched();
                byte[] frame = new byte[length];
                received.readBytes(frame);
                dispatch(context, frame);
            }
        } catch (IllegalArgumentException | InvalidProtocolBufferException e) {
            dispatched();
            answer(
                    context,
                    CniService.error(
                            CniVersion.V1_0_0,
                            new CniError(
                                    CniError.DECODE,
                                    "the plugin's request cannot be read: "
                                            + String.valueOf(e.getMessage()),
                                    "plugin and daemon are at most one version apart")));
        }
    }

    private void dispatched() {
        dispatched = true;
        deadline.ifPresent(timer -> timer.cancel(false));
    }

    private void dispatch(ChannelHandlerContext context, byte[] frame)
            throws InvalidProtocolBufferException {
        CniRequest request = CniRequest.parseFrom(CniFrame.payload(frame));
        Optional<HeldNamespace> namespace;
        try {
            namespace = entersNamespace(request) ? Optional.of(openNamespace()) : Optional.empty();
        } catch (NetlinkException e) {
            answer(
                    context,
                    CniService.error(
                            CniVersion.V1_0_0,
                            new CniError(
                                    CniError.NAMESPACE,
                                    String.valueOf(e.getMessage()),
                                    "it must be the path of the container's own network namespace")));
            return;
        }
        service.serve(request, namespace, response -> answer(context, response));
    }

    /// A DEL succeeds whatever its CNI_NETNS has become, the host's own or no namespace at all:
    /// nothing looks at it.
    private static boolean entersNamespace(CniRequest request) {
        return request.getHasNetns()
                && (request.getCommand().equals(ADD) || request.getCommand().equals(CHECK));
    }

    /// From here on the descriptor belongs to the call, and no longer to the connection.
    private HeldNamespace openNamespace() throws NetlinkException {
        FileDescriptor received =
                descriptor.orElseThrow(
                        () ->
                                new NetlinkException(
                                        "CNI_NETNS", 0, "no descriptor came with the call"));
        HeldNamespace namespace =
                new HeldNamespace(
                        received.intValue(),
                        Namespaces.identify(received.intValue(), bootId),
                        () -> close(received));
        descriptor = Optional.empty();
        return namespace;
    }

    private static void close(FileDescriptor descriptor) {
        try {
            descriptor.close();
        } catch (IOException e) {
            LOG.warn("a namespace's descriptor cannot be closed: {}", e.toString());
        }
    }

    private static void answer(ChannelHandlerContext context, CniResponse response) {
        ByteBuf frame = Unpooled.wrappedBuffer(CniFrame.encode(response.toByteArray()));
        context.writeAndFlush(frame, context.newPromise().addListener(CLOSE));
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        load.closed(bytes);
        deadline.ifPresent(timer -> timer.cancel(false));
        descriptor.ifPresent(CniConnection::close);
        descriptor = Optional.empty();
        received.release();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("a connection ended in {}", cause.toString());
        context.close();
    }
}
