package io.podledger.ipamd.cri;

import io.grpc.Server;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.podledger.ipamd.cri.wire.ContainerEventResponse;
import io.podledger.ipamd.cri.wire.GetEventsRequest;
import io.podledger.ipamd.cri.wire.ListPodSandboxRequest;
import io.podledger.ipamd.cri.wire.ListPodSandboxResponse;
import io.podledger.ipamd.cri.wire.PodSandbox;
import io.podledger.ipamd.cri.wire.PodSandboxMetadata;
import io.podledger.ipamd.cri.wire.PodSandboxStatus;
import io.podledger.ipamd.cri.wire.PodSandboxStatusRequest;
import io.podledger.ipamd.cri.wire.PodSandboxStatusResponse;
import io.podledger.ipamd.cri.wire.RuntimeServiceGrpc;
import io.podledger.ipamd.cri.wire.VersionRequest;
import io.podledger.ipamd.cri.wire.VersionResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// A runtime that speaks CRI over a real socket and says what a test wants: also what a real one
/// says only when it is broken.
final class ModelRuntime extends RuntimeServiceGrpc.RuntimeServiceImplBase
        implements AutoCloseable {
    final List<PodSandbox> sandboxes = new CopyOnWriteArrayList<>();
    final List<StreamObserver<ContainerEventResponse>> streams = new CopyOnWriteArrayList<>();
    final AtomicInteger listings = new AtomicInteger();
    volatile boolean hasStream = true;
    private final EventLoopGroup threads =
            new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
    private final Server server;

    ModelRuntime(Path socket) throws IOException {
        Files.deleteIfExists(socket);
        server =
                NettyServerBuilder.forAddress(new DomainSocketAddress(socket.toFile()))
                        .channelType(EpollServerDomainSocketChannel.class)
                        .bossEventLoopGroup(threads)
                        .workerEventLoopGroup(threads)
                        .directExecutor()
                        .addService(this)
                        .build()
                        .start();
    }

    static PodSandbox sandbox(String id, String pod) {
        return PodSandbox.newBuilder()
                .setId(id)
                .setMetadata(PodSandboxMetadata.newBuilder().setNamespace("default").setName(pod))
                .setCreatedAt(7)
                .build();
    }

    /// Tells every stream of something that concerns a sandbox.
    void tell(String id) {
        PodSandboxStatus about = PodSandboxStatus.newBuilder().setId(id).build();
        ContainerEventResponse event =
                ContainerEventResponse.newBuilder().setPodSandboxStatus(about).build();
        streams.forEach(stream -> stream.onNext(event));
    }

    @Override
    public void version(VersionRequest request, StreamObserver<VersionResponse> answer) {
        answer.onNext(
                VersionResponse.newBuilder()
                        .setRuntimeName("model")
                        .setRuntimeVersion("1.2")
                        .build());
        answer.onCompleted();
    }

    @Override
    public void listPodSandbox(
            ListPodSandboxRequest request, StreamObserver<ListPodSandboxResponse> answer) {
        listings.incrementAndGet();
        answer.onNext(ListPodSandboxResponse.newBuilder().addAllItems(sandboxes).build());
        answer.onCompleted();
    }

    @Override
    public void podSandboxStatus(
            PodSandboxStatusRequest request, StreamObserver<PodSandboxStatusResponse> answer) {
        for (PodSandbox sandbox : sandboxes) {
            if (sandbox.getId().equals(request.getPodSandboxId())) {
                PodSandboxStatus status =
                        PodSandboxStatus.newBuilder()
                                .setId(sandbox.getId())
                                .setMetadata(sandbox.getMetadata())
                                .setState(sandbox.getState())
                                .setCreatedAt(sandbox.getCreatedAt())
                                .build();
                answer.onNext(PodSandboxStatusResponse.newBuilder().setStatus(status).build());
                answer.onCompleted();
                return;
            }
        }
        answer.onError(Status.NOT_FOUND.asRuntimeException());
    }

    @Override
    public void getContainerEvents(
            GetEventsRequest request, StreamObserver<ContainerEventResponse> stream) {
        if (hasStream) {
            streams.add(stream);
        } else {
            stream.onError(Status.UNIMPLEMENTED.asRuntimeException());
        }
    }

    @Override
    public void close() {
        server.shutdownNow();
        threads.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
