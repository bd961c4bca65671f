package io.podledger.ipamd.cri;

import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainSocketAddress;
import io.podledger.ipamd.cri.wire.ContainerEventResponse;
import io.podledger.ipamd.cri.wire.GetEventsRequest;
import io.podledger.ipamd.cri.wire.ListPodSandboxRequest;
import io.podledger.ipamd.cri.wire.PodSandbox;
import io.podledger.ipamd.cri.wire.PodSandboxStatusRequest;
import io.podledger.ipamd.cri.wire.RuntimeServiceGrpc;
import io.podledger.ipamd.cri.wire.VersionRequest;
import io.podledger.ipamd.cri.wire.VersionResponse;
import io.podledger.projections.Sandbox;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// One connection to a container runtime. Every call but the stream has a deadline, and fails with
/// a [RuntimeAwayException] that says why.
final class RuntimeClient implements AutoCloseable {
    private static final Duration CALL_MAX = Duration.ofSeconds(5);

    /// A thousand sandboxes with long annotations are a few MiB.
    private static final int MESSAGE_BYTES_MAX = 64 << 20;

    private final EventLoopGroup threads =
            new MultiThreadIoEventLoopGroup(
                    1,
                    Thread.ofPlatform().name("runtime").daemon().factory(),
                    EpollIoHandler.newFactory());
    private final ManagedChannel channel;

    RuntimeClient(Path socket) {
        channel =
                NettyChannelBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                        // A path is no authority that every server takes.
                        .overrideAuthority("localhost")
                        .channelType(EpollDomainSocketChannel.class)
                        .eventLoopGroup(threads)
                        // An option of TCP, which the builder sets of its own.
                        .withOption(ChannelOption.SO_KEEPALIVE, null)
                        .maxInboundMessageSize(MESSAGE_BYTES_MAX)
                        .directExecutor()
                        .usePlaintext()
                        .build();
    }

    /// The runtime's name and version.
    String version() throws RuntimeAwayException {
        VersionResponse version =
                ask(() -> calls().version(VersionRequest.newBuilder().setVersion("v1").build()));
        return version.getRuntimeName() + " " + version.getRuntimeVersion();
    }

    /// Every sandbox that it has and that can be understood.
    Listing list() throws RuntimeAwayException {
        return Listing.of(
                ask(() -> calls().listPodSandbox(ListPodSandboxRequest.getDefaultInstance()))
                        .getItemsList());
    }

    /// What it says of one sandbox.
    sealed interface Word {
        record Has(Sandbox sandbox) implements Word {}

        record HasNone() implements Word {}

        /// Nothing to build on.
        record Unclear(String why) implements Word {}
    }

    Word sandbox(String id) throws RuntimeAwayException {
        PodSandboxStatusRequest request =
                PodSandboxStatusRequest.newBuilder().setPodSandboxId(id).build();
        try {
            return Sandboxes.of(calls().podSandboxStatus(request).getStatus())
                    .<Word>map(Word.Has::new)
                    .orElseGet(() -> new Word.Unclear("its status has no ID or no pod"));
        } catch (StatusRuntimeException e) {
            return switch (e.getStatus().getCode()) {
                case NOT_FOUND -> new Word.HasNone();
                case UNAVAILABLE, DEADLINE_EXCEEDED, CANCELLED -> throw new RuntimeAwayException(e);
                default -> new Word.Unclear(RuntimeAwayException.said(e.getStatus()));
            };
        }
    }

    /// Asks for events from now on. They come on a thread of the connection, which must not be
    /// kept.
    void events(StreamObserver<ContainerEventResponse> observer) {
        RuntimeServiceGrpc.newStub(channel)
                .getContainerEvents(GetEventsRequest.getDefaultInstance(), observer);
    }

    private RuntimeServiceGrpc.RuntimeServiceBlockingStub calls() {
        return RuntimeServiceGrpc.newBlockingStub(channel)
                .withDeadlineAfter(CALL_MAX.toMillis(), TimeUnit.MILLISECONDS);
    }

    private interface Call<T> {
        T answer();
    }

    private static <T> T ask(Call<T> call) throws RuntimeAwayException {
        try {
            return call.answer();
        } catch (StatusRuntimeException e) {
            throw new RuntimeAwayException(e);
        }
    }

    @Override
    public void close() {
        channel.shutdownNow();
        threads.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }

    /// What a list holds.
    ///
    /// @param notUnderstood how many of its entries have no ID or no pod
    record Listing(List<Sandbox> sandboxes, int notUnderstood) {
        static Listing of(List<PodSandbox> items) {
            List<Sandbox> sandboxes =
                    items.stream().flatMap(item -> Sandboxes.of(item).stream()).toList();
            return new Listing(sandboxes, items.size() - sandboxes.size());
        }
    }
}
