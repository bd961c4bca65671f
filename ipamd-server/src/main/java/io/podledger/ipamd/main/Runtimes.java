package io.podledger.ipamd.main;

import io.podledger.ipamd.config.RuntimeEndpoint;
import io.podledger.ipamd.cri.RuntimeWatch;
import io.podledger.ipamd.writer.Answer;
import io.podledger.ipamd.writer.Writer;
import io.podledger.projections.Attachment;
import io.podledger.projections.Command;
import io.podledger.projections.LedgerView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The container runtime beside CNI, where there is one: what it says goes to the writer.
final class Runtimes implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Runtimes.class);

    private final RuntimeEndpoint endpoint;
    private final Duration listEvery;
    private final Writer writer;
    private Optional<RuntimeWatch> watch = Optional.empty();

    /// @param listEvery between two lists
    Runtimes(RuntimeEndpoint endpoint, Duration listEvery, Writer writer) {
        this.endpoint = endpoint;
        this.listEvery = listEvery;
        this.writer = writer;
    }

    /// Begins to follow the runtime.
    ///
    /// @param patience how long its first list is waited for
    void follow(Duration patience) throws InterruptedException {
        Optional<Path> socket = endpoint.socket();
        if (socket.isEmpty()) {
            LOG.info("no container runtime is asked (--runtime-endpoint {})", endpoint);
            return;
        }
        CompletableFuture<Long> lists = new CompletableFuture<>();
        if (!writer.read((LedgerView ledger) -> lists.complete(ledger.lists()))) {
            return;
        }
        RuntimeWatch started =
                new RuntimeWatch(socket.get(), listEvery, waited(lists), this::record);
        watch = Optional.of(started);
        if (!started.awaitList(patience)) {
            LOG.warn("the runtime at {} has not listed its sandboxes yet", socket.get());
        }
    }

    /// A teardown goes its own way: the runtime is followed meanwhile.
    private List<Attachment> record(Command command) throws InterruptedException {
        if (command instanceof Command.Sweep) {
            writer.submitOwn(command, _ -> {});
            return List.of();
        }
        CompletableFuture<Answer> told = new CompletableFuture<>();
        writer.submitOwn(command, told::complete);
        return waited(told) instanceof Answer.Recheck(var missed) ? missed : List.of();
    }

    /// The writer answers everything that it took, and what it did not take at once.
    private static <T> T waited(CompletableFuture<T> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() {
        watch.ifPresent(RuntimeWatch::close);
    }
}
