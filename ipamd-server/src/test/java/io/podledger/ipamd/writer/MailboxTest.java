package io.podledger.ipamd.writer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MailboxTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(60);

    private final Mailbox mailbox = new Mailbox();

    private static Job job() {
        return new Job.Review(() -> {});
    }

    private List<Job> drained(int max, long waitNanos) throws InterruptedException {
        List<Job> batch = new ArrayList<>();
        mailbox.drain(batch, max, waitNanos);
        return batch;
    }

    @Test
    void callsStayUntilItIsOpenAndCompletionsDoNot() throws Exception {
        Job call = job();
        Job completion = job();
        mailbox.call(call);
        mailbox.completion(completion);

        assertThat(drained(9, LONG)).containsExactly(completion);
        assertThat(drained(9, 0)).isEmpty();
        assertThat(mailbox.isEmpty()).isTrue();
        mailbox.open();
        assertThat(mailbox.isEmpty()).isFalse();
        assertThat(drained(9, LONG)).containsExactly(call);
    }

    @Test
    void completionsComeFirstAndABatchIsBounded() throws Exception {
        mailbox.open();
        List<Job> calls = List.of(job(), job(), job());
        calls.forEach(mailbox::call);
        Job completion = job();
        mailbox.completion(completion);

        assertThat(drained(2, LONG)).containsExactly(completion, calls.getFirst());
        assertThat(drained(2, LONG)).containsExactlyElementsOf(calls.subList(1, 3));
    }

    @Test
    void theWaitEndsWithAJob() throws Exception {
        mailbox.open();
        CompletableFuture<List<Job>> waiting =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return drained(9, LONG);
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        Job call = job();
        mailbox.call(call);

        assertThat(Node.got(waiting)).containsExactly(call);
    }

    @Test
    void aWakeEndsOneWaitEvenBeforeItBegins() throws Exception {
        mailbox.wake();

        assertThat(drained(9, LONG)).isEmpty();
    }

    @Test
    void onceClosedItGivesBackWhatWasLeftAndTakesNothing() {
        Job call = job();
        Job completion = job();
        mailbox.call(call);
        mailbox.completion(completion);

        assertThat(mailbox.close()).containsExactly(completion, call);
        assertThat(mailbox.call(job())).isFalse();
        assertThat(mailbox.completion(job())).isFalse();
        assertThat(mailbox.close()).isEmpty();
    }
}
