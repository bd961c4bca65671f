package io.podledger.ipamd.cri;

import static org.assertj.core.api.Assertions.assertThat;

import io.podledger.ipamd.cri.wire.PodSandbox;
import io.podledger.ipamd.cri.wire.PodSandboxMetadata;
import io.podledger.ipamd.cri.wire.PodSandboxState;
import io.podledger.projections.Attachment;
import io.podledger.projections.Command;
import io.podledger.projections.Pod;
import io.podledger.projections.Sandbox;
import io.podledger.projections.SandboxState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RuntimeWatchTest {
    private static final int SECONDS_MAX = 20;

    private final BlockingQueue<Command> told = new LinkedBlockingQueue<>();

    /// What the ledger wants to be asked for after a list.
    private volatile List<Attachment> missed = List.of();

    /// Not the test's own folder: a socket's path has at most 107 bytes.
    private Path folder;

    @BeforeEach
    void makeFolder() throws Exception {
        folder = Files.createTempDirectory("pl-cri");
    }

    @AfterEach
    void removeFolder() throws Exception {
        Files.deleteIfExists(socket());
        Files.delete(folder);
    }

    private Path socket() {
        return folder.resolve("cri.sock");
    }

    private RuntimeWatch watch(Duration listEvery) {
        return new RuntimeWatch(
                socket(),
                listEvery,
                4,
                command -> {
                    told.put(command);
                    return command instanceof Command.SandboxesListed ? missed : List.of();
                });
    }

    private Command next() throws InterruptedException {
        Command command = told.poll(SECONDS_MAX, TimeUnit.SECONDS);
        assertThat(command).as("something is told").isNotNull();
        return command;
    }

    private static Command.SandboxesListed listed(long list, Sandbox... sandboxes) {
        return new Command.SandboxesListed(list, List.of(sandboxes));
    }

    private static Sandbox sandbox(String id, String pod, SandboxState state) {
        return new Sandbox(id, new Pod("default", pod, ""), 0, state, 7);
    }

    @Test
    void theRuntimeIsListedAtOnceAndThenAgain() throws Exception {
        try (ModelRuntime runtime = new ModelRuntime(socket())) {
            runtime.sandboxes.add(ModelRuntime.sandbox("s1", "web"));
            try (RuntimeWatch watch = watch(Duration.ofMillis(50))) {
                Sandbox web = sandbox("s1", "web", SandboxState.READY);
                assertThat(next()).isEqualTo(listed(5, web));
                assertThat(next()).isEqualTo(listed(6, web));
                assertThat(watch.awaitList(Duration.ofSeconds(SECONDS_MAX))).isTrue();
                assertThat(watch.state().connected()).isTrue();
                assertThat(watch.state().said()).isEqualTo("model 1.2");
            }
        }
    }

    @Test
    void whatTheStreamNamesIsAskedFor() throws Exception {
        try (ModelRuntime runtime = new ModelRuntime(socket());
                RuntimeWatch _ = watch(Duration.ofMinutes(5))) {
            assertThat(next()).isEqualTo(listed(5));

            runtime.sandboxes.add(ModelRuntime.sandbox("s1", "web"));
            runtime.tell("s1");
            assertThat(next())
                    .isEqualTo(
                            new Command.SandboxShown(
                                    "s1",
                                    Optional.of(sandbox("s1", "web", SandboxState.READY)),
                                    5));
            runtime.sandboxes.clear();
            runtime.tell("s1");
            assertThat(next()).isEqualTo(new Command.SandboxShown("s1", Optional.empty(), 5));
        }
    }

    @Test
    void aRuntimeWithoutAStreamIsListedAllTheSame() throws Exception {
        try (ModelRuntime runtime = new ModelRuntime(socket())) {
            runtime.hasStream = false;
            try (RuntimeWatch watch = watch(Duration.ofMillis(50))) {
                assertThat(next()).isEqualTo(listed(5));
                runtime.sandboxes.add(ModelRuntime.sandbox("s1", "web"));
                Command command = next();
                for (int i = 0; i < 10 && command.equals(listed(6 + i)); i++) {
                    command = next();
                }
                assertThat(((Command.SandboxesListed) command).sandboxes()).hasSize(1);
                assertThat(watch.state().connected()).isTrue();
            }
        }
    }

    @Test
    void aRuntimeThatComesBackIsListedAgain() throws Exception {
        ModelRuntime first = new ModelRuntime(socket());
        try (RuntimeWatch _ = watch(Duration.ofMinutes(5))) {
            assertThat(next()).isEqualTo(listed(5));
            first.close();
            try (ModelRuntime second = new ModelRuntime(socket())) {
                second.sandboxes.add(ModelRuntime.sandbox("s2", "db"));
                assertThat(next()).isEqualTo(listed(6, sandbox("s2", "db", SandboxState.READY)));
            }
        }
    }

    @Test
    void aRuntimeThatIsNotThereIsSaidToBeAwayAndAskedLater() throws Exception {
        try (RuntimeWatch watch = watch(Duration.ofMinutes(5))) {
            assertThat(watch.awaitList(Duration.ofMillis(300))).isFalse();
            assertThat(watch.state().connected()).isFalse();
            assertThat(watch.state().said()).contains("UNAVAILABLE");
            try (ModelRuntime _ = new ModelRuntime(socket())) {
                assertThat(next()).isEqualTo(listed(5));
            }
        }
    }

    @Test
    void whatIsMissedIsAskedForBeforeItIsTakenDown() throws Exception {
        Attachment gone = new Attachment("net", "gone", "eth0");
        missed = List.of(gone, new Attachment("net", "s1", "eth0"));
        try (ModelRuntime runtime = new ModelRuntime(socket())) {
            runtime.sandboxes.add(ModelRuntime.sandbox("s1", "web"));
            try (RuntimeWatch _ = watch(Duration.ofMinutes(5))) {
                Sandbox web = sandbox("s1", "web", SandboxState.READY);
                assertThat(next()).isEqualTo(listed(5, web));
                assertThat(next()).isEqualTo(new Command.Sweep(gone, 5));
                assertThat(next()).isEqualTo(new Command.SandboxShown("s1", Optional.of(web), 5));
            }
        }
    }

    @Test
    void anAnswerThatIsNoneTakesNothingDown() throws Exception {
        missed = List.of(new Attachment("net", "odd", "eth0"));
        try (ModelRuntime runtime = new ModelRuntime(socket())) {
            runtime.sandboxes.add(
                    ModelRuntime.sandbox("odd", "web").toBuilder().clearMetadata().build());
            try (RuntimeWatch _ = watch(Duration.ofMillis(200))) {
                assertThat(next()).isEqualTo(listed(5));
                assertThat(next()).isEqualTo(listed(6));
            }
        }
    }

    @Test
    void nonsenseIsPassedOver() throws Exception {
        try (ModelRuntime runtime = new ModelRuntime(socket())) {
            PodSandbox good = ModelRuntime.sandbox("s1", "web");
            runtime.sandboxes.add(good.toBuilder().clearMetadata().build());
            runtime.sandboxes.add(good.toBuilder().setId("").build());
            runtime.sandboxes.add(good.toBuilder().setId("x".repeat(2_000)).build());
            runtime.sandboxes.add(
                    good.toBuilder()
                            .setMetadata(PodSandboxMetadata.newBuilder().setName("no-namespace"))
                            .build());
            runtime.sandboxes.add(
                    good.toBuilder()
                            .setId("s2")
                            .setState(PodSandboxState.SANDBOX_NOTREADY)
                            .setCreatedAt(-5)
                            .build());
            try (RuntimeWatch _ = watch(Duration.ofMinutes(5))) {
                assertThat(next())
                        .isEqualTo(
                                listed(
                                        5,
                                        new Sandbox(
                                                "s2",
                                                new Pod("default", "web", ""),
                                                0,
                                                SandboxState.NOT_READY,
                                                0)));
            }
        }
    }

    @Test
    void whereMoreIsNamedThanIsKeptAllIsListed() throws Exception {
        EventHints hints = new EventHints();
        for (int i = 0; i < 3_000; i++) {
            hints.onNext(
                    io.podledger.ipamd.cri.wire.ContainerEventResponse.newBuilder()
                            .setContainerId("c" + i)
                            .build());
        }
        assertThat(hints.next(1)).isEqualTo(new EventHints.Hint.List());
        assertThat(hints.next(1)).isInstanceOf(EventHints.Hint.Ask.class);
    }
}
