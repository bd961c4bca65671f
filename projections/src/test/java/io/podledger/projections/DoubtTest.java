package io.podledger.projections;

import static io.podledger.projections.World.add;
import static io.podledger.projections.World.attachment;
import static io.podledger.projections.World.del;
import static io.podledger.projections.World.device;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DoubtTest {
    private final World world = World.of("10.0.0.0/30");

    @Test
    void aDeviceThatTheLedgerDoesNotKnowWithholdsItsAddresses() {
        List<Event> facts = compare(marked("enilost", "10.0.0.0", "10.0.0.2", "192.168.0.1"));

        assertThat(facts)
                .singleElement()
                .isInstanceOfSatisfying(
                        Event.AttachmentSuspected.class,
                        e ->
                                assertThat(e.addresses())
                                        .containsExactly(
                                                IpAddress.parse("10.0.0.0"),
                                                IpAddress.parse("10.0.0.2")));
        assertThat(world.ledger.counts(world.now).suspect()).isEqualTo(2);
        world.running("s1", "p1");
        world.running("s2", "p2");
        world.when(add("s3", "p3"));
        assertThat(world.texts("s1")).containsExactly("10.0.0.1");
        assertThat(world.texts("s2")).containsExactly("10.0.0.3");
        assertThat(world.outcome).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void aSecondLookFindsNothingNew() {
        compare(marked("enilost", "10.0.0.0"));

        assertThat(compare(marked("enilost", "10.0.0.0"))).isEmpty();
        assertThat(compare(marked("enilost", "10.0.0.0", "10.0.0.1"))).hasSize(1);
        assertThat(world.ledger.suspect("enilost").orElseThrow().addresses()).hasSize(2);
    }

    @Test
    void whatTheLedgerKnowsIsNoSuspect() {
        world.running("s1", "p");
        assertThat(compare(marked(device("s1"), "10.0.0.0"))).isEmpty();
        world.when(del("s1", "p"));
        assertThat(compare(marked(device("s1"), "10.0.0.0"))).isEmpty();
        world.when(new Command.TeardownDone(attachment("s1"), world.order("s1")));
        assertThat(compare(marked(device("s1"), "10.0.0.0"))).isEmpty();
    }

    @Test
    void anAddressThatSomeoneHoldsStaysTheirs() {
        world.running("s1", "p");

        assertThat(compare(marked("enilost", "10.0.0.0"))).isEmpty();
        assertThat(compare(marked("enilost"), marked("eniother", "172.16.0.1"))).isEmpty();
        assertThat(compare(marked("eni1", "10.0.0.1"), marked("eni2", "10.0.0.1"))).hasSize(1);
    }

    @Test
    void aCoolingAddressCanBeWithheld() {
        world.running("s1", "p");
        world.gone("s1", "p");

        compare(marked("enilost", "10.0.0.0"));

        assertThat(world.ledger.resting()).isEmpty();
        world.now += World.COOLDOWN_MILLIS;
        world.fill(3);
        world.when(add("s2", "p2"));
        assertThat(world.outcome).isInstanceOf(Outcome.Refused.class);
    }

    @Test
    void theDelOfASuspectTakesItDownAndItsAddressesCool() {
        compare(marked(device("s1"), "10.0.0.0"));

        world.when(add("s1", "p"));
        assertThat(world.outcome)
                .isInstanceOfSatisfying(
                        Outcome.Refused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(Refusal.SUSPECTED));

        world.when(del("s1", "p"));
        assertThat(world.outcome)
                .isEqualTo(
                        new Outcome.UnwireSuspect(
                                device("s1"), List.of(IpAddress.parse("10.0.0.0"))));
        assertThat(world.durable).isTrue();

        world.when(new Command.SuspectGone(device("s1"), "the device is gone"));
        assertThat(world.ledger.counts(world.now).cooling()).isEqualTo(1);
        assertThat(world.ledger.suspects()).isEmpty();
        assertThat(world.when(new Command.SuspectGone(device("s1"), "again"))).isEmpty();

        world.when(add("s1", "p"));
        assertThat(world.texts("s1")).containsExactly("10.0.0.1");
    }

    @Test
    void aDeviceWithManyAddressesHasSeveralFacts() {
        World wide = World.of("10.0.0.0/22");
        List<IpAddress> addresses =
                IntStream.range(0, 600).mapToObj(i -> IpAddress.parse("10.0.0.0").plus(i)).toList();

        List<Event> facts =
                wide.when(
                        new Command.Compare(
                                List.of(new Command.Marked("enilost", "mark", addresses))));

        assertThat(facts).hasSize(3);
        assertThat(wide.ledger.counts(wide.now).suspect()).isEqualTo(600);
        assertThat(Ledger.restore(wide.ledger.snapshot()).hash()).isEqualTo(wide.ledger.hash());
    }

    private List<Event> compare(Command.Marked... marked) {
        return world.when(new Command.Compare(List.of(marked)));
    }

    private static Command.Marked marked(String device, String... addresses) {
        return new Command.Marked(
                device, "podledger:1", Stream.of(addresses).map(IpAddress::parse).toList());
    }
}
