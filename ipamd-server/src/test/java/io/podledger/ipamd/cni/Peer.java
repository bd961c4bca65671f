package io.podledger.ipamd.cni;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.unix.FileDescriptor;
import io.podledger.shim.CniFrame;
import io.podledger.shim.CniResponse;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// A client that says what a test wants, and not what the plugin would say.
final class Peer implements AutoCloseable {
    private static final EventLoopGroup THREADS =
            new MultiThreadIoEventLoopGroup(
                    1, Thread.ofPlatform().daemon().factory(), EpollIoHandler.newFactory());

    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final CompletableFuture<byte[]> ended = new CompletableFuture<>();
    private final Channel channel;

    Peer(Path socket) {
        channel =
                new Bootstrap()
                        .group(THREADS)
                        .channel(EpollDomainSocketChannel.class)
                        .handler(new Collector())
                        .connect(new DomainSocketAddress(socket.toFile()))
                        .syncUninterruptibly()
                        .channel();
    }

    private final class Collector extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            byte[] copy = new byte[bytes.readableBytes()];
            bytes.readBytes(copy);
            bytes.release();
            received.writeBytes(copy);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            ended.complete(received.toByteArray());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    /// One byte that carries the descriptor of an open file.
    Peer descriptor(String file) throws Exception {
        FileDescriptor descriptor = FileDescriptor.from(new File(file));
        try {
            channel.writeAndFlush(descriptor).sync();
        } finally {
            descriptor.close();
        }
        return this;
    }

    Peer bytes(byte[] bytes) {
        channel.writeAndFlush(Unpooled.wrappedBuffer(bytes)).awaitUninterruptibly();
        return this;
    }

    /// Waits until the server ends the connection.
    CniResponse response() throws Exception {
        return CniResponse.parseFrom(CniFrame.payload(end()));
    }

    byte[] end() throws Exception {
        return ended.get(30, TimeUnit.SECONDS);
    }

    boolean isOpen() {
        return channel.isActive();
    }

    @Override
    public void close() {
        channel.close().syncUninterruptibly();
    }
}
