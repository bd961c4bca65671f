package io.podledger.shim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Listens where the daemon would, and answers its callers as a test wants, one after the other.
final class FakeDaemon implements AutoCloseable {
    /// What happens to one caller. The connection is closed when it returns.
    @FunctionalInterface
    interface Turn {
        void serve(FakeDaemon daemon, SocketChannel caller) throws IOException;
    }

    private final ServerSocketChannel server;
    private final List<Turn> turns;
    private final List<byte[]> requests = new CopyOnWriteArrayList<>();
    private final Semaphore heard = new Semaphore(0);
    private final CountDownLatch closed = new CountDownLatch(1);

    /// @param turns one for each caller in turn; all later callers get the last one
    FakeDaemon(Path folder, Turn... turns) throws IOException {
        this.turns = List.of(turns);
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(folder.resolve("cni.sock")));
        Thread.ofPlatform().daemon().name("fake-daemon").start(this::serve);
    }

    /// Reads the request and answers with these bytes, whatever they are.
    static Turn bytes(byte[] answer) {
        return (daemon, caller) -> {
            daemon.read(caller);
            write(caller, answer);
        };
    }

    static Turn answer(CniResponse response) {
        return bytes(CniFrame.encode(response.toByteArray()));
    }

    static Turn answer(int exitCode, String output) {
        return answer(response(exitCode, output));
    }

    static CniResponse response(int exitCode, String output) {
        return CniResponse.newBuilder()
                .setExitCode(exitCode)
                .setStdout(ByteString.copyFrom(output, UTF_8))
                .build();
    }

    /// Reads the request and keeps the connection until the test ends.
    static Turn silence() {
        return (daemon, caller) -> {
            daemon.read(caller);
            daemon.untilClosed();
        };
    }

    /// The requests read so far, as whole frames.
    List<byte[]> requests() {
        return requests;
    }

    CniRequest request() throws IOException {
        assertThat(requests).hasSize(1);
        return CniRequest.parseFrom(CniFrame.payload(requests.getFirst()));
    }

    /// Waits until one request more has been read, whatever its plugin does by now.
    void hear() throws InterruptedException {
        assertThat(heard.tryAcquire(Plugin.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
    }

    void untilClosed() {
        try {
            closed.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() {
        for (int call = 0; server.isOpen(); call++) {
            try (SocketChannel caller = server.accept()) {
                turns.get(Math.min(call, turns.size() - 1)).serve(this, caller);
            } catch (IOException _) {
                // The plugin left, or the test ended: what the plugin did then is what is tested.
            }
        }
    }

    void read(SocketChannel caller) throws IOException {
        byte[] first = new byte[1 + CniFrame.HEADER_BYTES];
        readFully(caller, ByteBuffer.wrap(first));
        assertThat(first[0]).isEqualTo((byte) 0x4E);
        byte[] header = Arrays.copyOfRange(first, 1, first.length);
        byte[] frame = Arrays.copyOf(header, CniFrame.frameBytes(header));
        readFully(
                caller,
                ByteBuffer.wrap(
                        frame, CniFrame.HEADER_BYTES, frame.length - CniFrame.HEADER_BYTES));
        requests.add(frame);
        heard.release();
    }

    private static void readFully(SocketChannel caller, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (caller.read(into) < 0) {
                throw new IOException("the request is cut short");
            }
        }
    }

    static void write(SocketChannel caller, byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            caller.write(left);
        }
    }

    @Override
    public void close() {
        closed.countDown();
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
