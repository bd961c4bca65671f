package io.podledger.ipamd.writer;

import static io.podledger.ipamd.writer.Node.device;
import static io.podledger.ipamd.writer.Node.got;
import static io.podledger.ipamd.writer.Node.identity;
import static io.podledger.ipamd.writer.Node.until;
import static org.assertj.core.api.Assertions.assertThat;

import io.podledger.ipamd.writer.Node.Settings;
import io.podledger.projections.DelVerdict;
import io.podledger.projections.Event;
import io.podledger.projections.LeaseState;
import io.podledger.projections.Refusal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriterTest {
    @TempDir Path folder;

    private static Answer.Granted granted(CompletableFuture<Answer> answer) {
        Answer got = got(answer);
        assertThat(got).isInstanceOf(Answer.Granted.class);
        return (Answer.Granted) got;
    }

    @Test
    void anAddIsInTheJournalAndInTheKernelWhenItIsAnswered() throws Exception {
        try (Node node = Node.open(folder, Settings.USUAL)) {
            CompletableFuture<List<Event>> facts = new CompletableFuture<>();
            node.add("a", identity(1), _ -> facts.complete(Node.facts(folder)));

            assertThat(got(facts))
                    .anyMatch(
                            fact ->
                                    fact instanceof Event.AddressReserved reserved
                                            && reserved.attachment().equals(Node.attachment("a")));
            assertThat(node.wiring.devices).containsOnlyKeys(device("a"));
        }
    }

    @Test
    void noOrderReachesTheKernelBeforeItsFactIsInTheJournal() throws Exception {
        try (Node node = Node.open(folder, Settings.USUAL)) {
            CountDownLatch gate = node.wiring.hold("wire");
            CompletableFuture<Answer> answer = node.add("a");
            until("wiring has begun", () -> node.wiring.called("wire " + device("a")));

            assertThat(Node.facts(folder)).anyMatch(Event.AddressReserved.class::isInstance);
            assertThat(answer).isNotDone();
            gate.countDown();
            granted(answer);
        }
    }

    @Test
    void aDelIsAnsweredAfterItsTeardownAndItsIntentIsInTheJournal() throws Exception {
        try (Node node = Node.open(folder, Settings.USUAL)) {
            granted(node.add("a"));
            CountDownLatch gate = node.wiring.hold("unwire");
            CompletableFuture<Answer> answer = node.del("a");
            until("teardown has begun", () -> node.wiring.called("unwire " + device("a")));

            assertThat(Node.facts(folder)).anyMatch(Event.DelReceived.class::isInstance);
            assertThat(answer).isNotDone();
            gate.countDown();
            assertThat(got(answer)).isEqualTo(new Answer.Deleted(DelVerdict.RELEASING));
            assertThat(node.wiring.devices).isEmpty();
        }
    }

    @Test
    void aBrokenJournalHaltsAndNobodyIsAnswered() throws Exception {
        Node node = Node.open(folder, Settings.USUAL);
        granted(node.add("a"));
        node.read(_ -> true);
        node.journal.close();

        CompletableFuture<Answer> answer = node.add("b");
        until("it halts", () -> node.halted.get() != null);

        assertThat(answer).isNotDone();
        assertThat(node.wiring.called("wire " + device("b"))).isFalse();
    }

    @Test
    void aMistakeInAnEffectHalts() throws Exception {
        Node node = Node.open(folder, Settings.USUAL);

        node.writer.read(
                _ -> {
                    throw new AssertionError("a mistake");
                });
        until("it halts", () -> node.halted.get() != null);

        assertThat(node.halted.get()).hasMessage("a mistake");
        node.journal.close();
    }

    @Test
    void aReplyThatThrowsHurtsNobodyElse() throws Exception {
        try (Node node = Node.open(folder, Settings.USUAL)) {
            node.add(
                    "a",
                    identity(1),
                    _ -> {
                        throw new IllegalStateException("the caller's own mistake");
                    });

            granted(node.add("b"));
            assertThat(node.halted).hasNullValue();
        }
    }

    @Test
    void aRepeatedAddJoinsTheOrderThatRunsAndGetsTheSameAddress() throws Exception {
        try (Node node = Node.open(folder, Settings.USUAL)) {
            CountDownLatch gate = node.wiring.hold("wire");
            CompletableFuture<Answer> first = node.add("a");
            until("wiring has begun", () -> node.wiring.called("wire " + device("a")));
            CompletableFuture<Answer> second = node.add("a");
            node.read(_ -> true);
            gate.countDown();

            assertThat(granted(first)).isEqualTo(granted(second));
            assertThat(node.wiring.calls).containsExactly("wire " + device("a"));
        }
    }

    @Test
    void aRepeatedAddIsWiredAgainAndGetsTheSameAddress() throws Exception {
        try (Node node = Node.open(folder, Settings.USUAL)) {
            Answer.Granted first = granted(node.add("a"));
            Answer.Granted second = granted(node.add("a"));

            assertThat(second).isEqualTo(first);
            assertThat(node.wiring.calls).hasSize(2);
            assertThat(Node.facts(folder))
                    .filteredOn(Event.AddressReserved.class::isInstance)
                    .hasSize(1);
        }
    }

    @Test
    void anotherNamespaceUnderTheSameKeyIsWiredAfterTheFirst() throws Exception {
        try (Node node = Node.open(folder, Settings.USUAL)) {
            CountDownLatch gate = node.wiring.hold("wire");
            CompletableFuture<Answer> first = node.add("a", identity(1));
            until("wiring has begun", () -> node.wiring.called("wire " + device("a")));
            CompletableFuture<Answer> superseded = node.add("a", identity(2));
            CompletableFuture<Answer> last = node.add("a", identity(3));
            node.read(_ -> true);
            gate.countDown();

            assertThat(got(first)).isInstanceOf(Answer.Failed.class);
            assertThat(got(superseded)).isInstanceOf(Answer.Failed.class);
            assertThat(granted(last).lease().namespace()).isEqualTo(identity(3));
            assertThat(node.wiring.calls).hasSize(2);
        }
    }

    @Test
    void aDelDuringWiringTearsDownAfterIt() throws Exception {
        try (Node node = Node.open(folder, Settings.USUAL)) {
            CountDownLatch gate = node.wiring.hold("wire");
            CompletableFuture<Answer> add = node.add("a");
            until("wiring has begun", () -> node.wiring.called("wire " + device("a")));
            CompletableFuture<Answer> del = node.del("a");
            CompletableFuture<Answer> again = node.del("a");
            node.read(_ -> true);
            gate.countDown();

            assertThat(got(add)).isInstanceOf(Answer.Failed.class);
            assertThat(got(del)).isInstanceOf(Answer.Deleted.class);
            assertThat(got(again)).isInstanceOf(Answer.Deleted.class);
            assertThat(node.wiring.calls)
                    .containsExactly("wire " + device("a"), "unwire " + device("a"));
            assertThat(node.wiring.devices).isEmpty();
        }
    }

    @Test
    void anAddDuringTeardownIsRefusedAndWorksAfterwards() throws Exception {
        try (Node node = Node.open(folder, Settings.USUAL)) {
            granted(node.add("a"));
            CountDownLatch gate = node.wiring.hold("unwire");
            CompletableFuture<Answer> del = node.del("a");
            until("teardown has begun", () -> node.wiring.called("unwire " + device("a")));

            assertThat(got(node.add("a")))
                    .isInstanceOfSatisfying(
                            Answer.Refused.class,
                            refused -> assertThat(refused.reason()).isEqualTo(Refusal.RELEASING));
            gate.countDown();
            got(del);
            granted(node.add("a"));
        }
    }

    @Test
    void aWiringThatFailsIsTornDownAndOnlyThenItsAddressIsFree() throws Exception {
        try (Node node = Node.open(folder, Settings.USUAL.cidr("10.9.0.1/32"))) {
            node.wiring.fail("wire", 1);
            CountDownLatch gate = node.wiring.hold("unwire");
            assertThat(got(node.add("a"))).isInstanceOf(Answer.Failed.class);
            until("teardown has begun", () -> node.wiring.called("unwire " + device("a")));

            assertThat(got(node.add("b"))).isInstanceOf(Answer.Refused.class);
            gate.countDown();
            until("its address is free", () -> got(node.add("b")) instanceof Answer.Granted);
        }
    }

    @Test
    void anErrorOfTheWiringsOwnIsAFailureAndNoHangingCaller() throws Exception {
        try (Node node = Node.open(folder, Settings.USUAL)) {
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            node.wiring.breakNext();
            node.add("a", identity(1), answer::complete);

            assertThat(got(answer)).isInstanceOf(Answer.Failed.class);
            granted(node.add("b"));
        }
    }

    @Test
    void aTeardownThatGoesOnFailingLetsItsDelGoAndIsTriedOn() throws Exception {
        Settings impatient = Settings.USUAL.patience(Duration.ofMillis(50));
        try (Node node = Node.open(folder, impatient)) {
            granted(node.add("a"));
            node.wiring.fail("unwire", 3);

            assertThat(got(node.del("a"))).isEqualTo(new Answer.Deleted(DelVerdict.RELEASING));
            until("it is torn down in the end", () -> node.wiring.devices.isEmpty());
            until("and released", () -> node.state("a").isEmpty());
        }
    }

    @Test
    void aDelBehindAnEndlessWiringIsLetGoAsWell() throws Exception {
        Settings impatient = Settings.USUAL.patience(Duration.ofMillis(50));
        try (Node node = Node.open(folder, impatient)) {
            CountDownLatch gate = node.wiring.hold("wire");
            CompletableFuture<Answer> add = node.add("a");
            until("wiring has begun", () -> node.wiring.called("wire " + device("a")));

            assertThat(got(node.del("a"))).isInstanceOf(Answer.Deleted.class);
            assertThat(add).isNotDone();
            assertThat(node.state("a")).contains(LeaseState.RELEASING);
            gate.countDown();
            got(add);
        }
    }
}
