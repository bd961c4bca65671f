package io.podledger.ipamd.writer;

import static org.assertj.core.api.Assertions.assertThat;

import io.podledger.ipamd.writer.Node.Settings;
import io.podledger.projections.Command;
import io.podledger.projections.Event;
import io.podledger.projections.IpAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BookTest {
    @TempDir Path folder;

    /// A 1 MiB segment keeps 64 KiB for what follows a roll.
    @Test
    void aDecisionMayHaveMoreFactsThanTheEndOfASegmentHasRoomFor() throws Exception {
        List<Command.Marked> marked =
                IntStream.range(0, 1_500)
                        .mapToObj(
                                i ->
                                        new Command.Marked(
                                                "eni%011x".formatted(i),
                                                "podledger:" + "m".repeat(200),
                                                List.of(
                                                        IpAddress.parse(
                                                                "10.8.%d.%d"
                                                                        .formatted(
                                                                                i / 250,
                                                                                i % 250 + 1)))))
                        .toList();
        Node node = Node.open(folder, Settings.USUAL.cidr("10.8.0.0/16"));
        node.writer.submitOwn(new Command.Compare(marked), _ -> {});
        node.read(_ -> true);
        node.close();

        assertThat(node.halted).hasNullValue();
        assertThat(Node.facts(folder))
                .filteredOn(Event.AttachmentSuspected.class::isInstance)
                .hasSize(1_500);
    }

    @Test
    void theHashIsWrittenNowAndThenAndAReplayFindsTheSame() throws Exception {
        Node node = Node.open(folder, Settings.USUAL);
        for (int i = 0; i < 600; i++) {
            Node.got(node.addIpam("a"));
            Node.got(node.del("a"));
        }
        node.close();

        assertThat(Node.facts(folder))
                .filteredOn(Event.StateHashed.class::isInstance)
                .hasSizeGreaterThanOrEqualTo(2);
        assertThat(Node.replayed(folder).hash()).isEqualTo(node.ledger.hash());
    }
}
