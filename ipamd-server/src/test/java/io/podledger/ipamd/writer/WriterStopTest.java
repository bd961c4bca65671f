package io.podledger.ipamd.writer;

import static io.podledger.ipamd.writer.Node.device;
import static io.podledger.ipamd.writer.Node.got;
import static io.podledger.ipamd.writer.Node.identity;
import static io.podledger.ipamd.writer.Node.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.podledger.ipamd.writer.Node.Settings;
import io.podledger.projections.Event;
import io.podledger.projections.LeaseState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriterStopTest {
    @TempDir Path folder;

    @Test
    void callsWaitUntilTheWriterIsOpenAndOneTooManyIsTurnedAway() throws Exception {
        try (Node node = new Node(folder, Settings.USUAL.cidr("10.8.0.0/16"), new FakeWiring())) {
            List<CompletableFuture<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < Writer.CALLS_MAX; i++) {
                answers.add(node.addIpam("c" + i));
            }

            assertThat(got(node.del("x"))).isInstanceOf(Answer.Unavailable.class);
            assertThat(node.attachments()).isZero();
            assertThat(answers).noneMatch(CompletableFuture::isDone);
            node.writer.open();
            answers.forEach(answer -> assertThat(got(answer)).isInstanceOf(Answer.Granted.class));
            assertThat(got(node.del("x"))).isInstanceOf(Answer.Deleted.class);
        }
    }

    @Test
    void aStopLetsWhatIsUnderWayEndAndTakesNothingMore() throws Exception {
        try (Node node = Node.open(folder, Settings.USUAL)) {
            CountDownLatch gate = node.wiring.hold("wire");
            CompletableFuture<Answer> add = node.add("a");
            until("wiring has begun", () -> node.wiring.called("wire " + device("a")));
            node.writer.close(Duration.ofSeconds(30));

            assertThat(got(node.add("b"))).isInstanceOf(Answer.Unavailable.class);
            assertThat(add).isNotDone();
            gate.countDown();
            assertThat(got(add)).isInstanceOf(Answer.Granted.class);
        }
        List<Event> facts = Node.facts(folder);
        assertThat(facts.getLast()).isInstanceOf(Event.DaemonStopped.class);
        assertThat(facts.get(facts.size() - 2)).isInstanceOf(Event.StateHashed.class);
    }

    @Test
    void afterTheStopCallsReadsAndOwnCommandsAreTurnedAway() throws Exception {
        Node node = Node.open(folder, Settings.USUAL);
        node.close();

        CompletableFuture<Answer> own = new CompletableFuture<>();
        node.writer.submitOwn(Node.delCommand("a"), own::complete);

        assertThat(got(own)).isInstanceOf(Answer.Unavailable.class);
        assertThat(got(node.add("a"))).isInstanceOf(Answer.Unavailable.class);
        assertThat(node.writer.read(_ -> {})).isFalse();
        assertThat(node.wiring.openNamespaces).isEmpty();
    }

    @Test
    void aStopThatRunsOutOfPatienceAnswersEverybodyAndLeavesDescriptorsInUseAlone()
            throws Exception {
        Node node = Node.open(folder, Settings.USUAL);
        CountDownLatch gate = node.wiring.holdStubbornly("wire");
        CompletableFuture<Answer> add = node.add("a");
        until("wiring has begun", () -> node.wiring.called("wire " + device("a")));
        CompletableFuture<Answer> del = node.del("a");
        node.read(_ -> true);

        node.stop(Duration.ZERO);

        assertThat(got(add)).isInstanceOf(Answer.Unavailable.class);
        assertThat(got(del)).isInstanceOf(Answer.Deleted.class);
        assertThat(node.wiring.openNamespaces).hasSize(1);
        gate.countDown();
        assertThat(node.halted).hasNullValue();
    }

    @Test
    void aTeardownThatCannotWorkDoesNotHoldTheStopUpAndIsTakenUpByTheNextStart() throws Exception {
        Node node = Node.open(folder, Settings.USUAL);
        got(node.add("a"));
        node.wiring.fail("unwire", Integer.MAX_VALUE);
        CompletableFuture<Answer> del = node.del("a");
        until("it was tried", () -> node.wiring.called("unwire " + device("a")));
        node.stop(Duration.ofDays(1));
        assertThat(got(del)).isInstanceOf(Answer.Deleted.class);

        node.wiring.fail("unwire", 0);
        try (Node next = new Node(folder, Settings.USUAL, node.wiring)) {
            next.writer.resume();
            until("it is released", () -> next.state("a").isEmpty());
            assertThat(next.wiring.devices).isEmpty();
        }
    }

    @Test
    void whatANextStartFindsReleasingWithoutADeviceIsReleased() throws Exception {
        Node node = Node.open(folder, Settings.USUAL);
        got(node.addIpam("a"));
        got(node.addIpam("b"));
        node.close();
        DelHalf.write(folder, "a");
        DelHalf.write(folder, "b");

        try (Node next = new Node(folder, Settings.USUAL, new FakeWiring())) {
            assertThat(next.state("a")).contains(LeaseState.RELEASING);
            next.writer.resume();
            until("both are released", () -> next.attachments() == 0);
            assertThat(next.wiring.calls).isEmpty();
        }
    }

    @Test
    void reservationsThatNobodyAsksForAreUndoneUnlessTheyHaveADeviceOrAnOrder() throws Exception {
        Node node = Node.open(folder, Settings.USUAL);
        node.wiring.holdStubbornly("wire");
        for (String container : List.of("gone", "left", "again")) {
            node.add(container);
        }
        until("they are reserved", () -> node.state("again").isPresent());
        node.stop(Duration.ZERO);

        FakeWiring kernel = new FakeWiring();
        try (Node next = new Node(folder, Settings.USUAL, kernel)) {
            next.writer.open().get(30, TimeUnit.SECONDS);
            long before = next.read(view -> view.nextNumber()) - 1;
            CountDownLatch gate = kernel.hold("wire");
            CompletableFuture<Answer> again = next.add("again");
            CompletableFuture<Answer> fresh = next.add("fresh", identity(9));
            next.read(_ -> true);
            next.writer.abandon(before, Set.of(device("left")));
            next.read(_ -> true);

            assertThat(next.state("gone")).contains(LeaseState.RELEASING);
            assertThat(next.state("left")).contains(LeaseState.RESERVED);
            gate.countDown();
            assertThat(got(again)).isInstanceOf(Answer.Granted.class);
            assertThat(got(fresh)).isInstanceOf(Answer.Granted.class);
            until("it is released", () -> next.state("gone").isEmpty());
            assertThat(kernel.calls).contains("unwire " + device("gone"));
        }
    }

    @Test
    void anAddInTheSameBatchAsTheReviewKeepsItsReservation() throws Exception {
        Node node = Node.open(folder, Settings.USUAL);
        node.wiring.holdStubbornly("wire");
        node.add("a");
        until("it is reserved", () -> node.state("a").isPresent());
        node.stop(Duration.ZERO);

        try (Node next = new Node(folder, Settings.USUAL, new FakeWiring())) {
            got(next.writer.open());
            CountDownLatch hold = new CountDownLatch(1);
            next.writer.read(_ -> await(hold));
            CompletableFuture<Answer> add = next.add("a");
            next.writer.abandon(Long.MAX_VALUE, Set.of());
            hold.countDown();

            assertThat(got(add)).isInstanceOf(Answer.Granted.class);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aWriterThatIsStoppedBeforeItWasOpenDecidesNoCall() throws Exception {
        Node node = new Node(folder, Settings.USUAL, new FakeWiring());
        CompletableFuture<Answer> add = node.add("a");
        node.close();

        assertThat(got(add)).isInstanceOf(Answer.Unavailable.class);
        assertThat(Node.facts(folder)).noneMatch(Event.AddressReserved.class::isInstance);
    }
}
