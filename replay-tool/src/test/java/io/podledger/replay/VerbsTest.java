package io.podledger.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.podledger.projections.DelVerdict;
import io.podledger.projections.Event;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Refusal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One journal in which a pod is restarted, a stale DEL comes, and some more: every verb tells it.
class VerbsTest {
    private static final String S1 = "1111111111111111";
    private static final String S2 = "2222222222222222";
    private static final String S9 = "9999999999999999";

    @TempDir private Path stateDir;
    private long start;
    private long range;
    private long reserve1;
    private long wired1;
    private long reserve2;
    private long wired2;
    private long stale1;
    private long released1;
    private long repeated1;
    private long unknown9;
    private long refused;
    private long suspected;
    private long hashed;

    @BeforeEach
    void write() {
        try (var node = new Node(stateDir, true)) {
            start = node.start();
            range = node.range("10.99.1.64", 29);
            reserve1 = node.later(1000).reserve(S1, "web-0", "10.99.1.64");
            wired1 = node.later(5).wired(S1);
            reserve2 = node.later(60_000).reserve(S2, "web-0", "10.99.1.65");
            wired2 = node.later(5).wired(S2);
            stale1 = node.later(2600).del(S1, DelVerdict.STALE, Optional.of(S2));
            released1 = node.later(5).released(S1);
            repeated1 = node.later(1000).del(S1, DelVerdict.REPEATED, Optional.empty());
            unknown9 = node.later(1000).del(S9, DelVerdict.UNKNOWN, Optional.empty());
            refused =
                    node.write(
                            new Event.AddRefused(
                                    Node.sandbox(S9),
                                    Optional.of(Node.pod("db-0")),
                                    Refusal.FENCED,
                                    "its DEL came first"));
            suspected =
                    node.write(
                            new Event.AttachmentSuspected(
                                    "eniabcabcabcab",
                                    List.of(IpAddress.parse("10.99.1.70")),
                                    "it carries our mark"));
            hashed = node.hash();
        }
    }

    private Cli run(String... args) {
        var all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--state-dir", stateDir.toString(), "--zone", "UTC"));
        return Cli.run(all.toArray(String[]::new));
    }

    private Cli answered(String... args) {
        Cli cli = run(args);
        assertThat(cli.err()).isEmpty();
        assertThat(cli.code()).isZero();
        return cli;
    }

    private List<Long> sequences(String... filter) {
        var args = new ArrayList<>(List.of("events", "--json"));
        args.addAll(List.of(filter));
        return answered(args.toArray(String[]::new)).json().stream()
                .map(json -> json.get("sequence").asLong())
                .toList();
    }

    @Test
    void eventsFilters() {
        assertThat(sequences())
                .containsExactly(
                        start, range, reserve1, wired1, reserve2, wired2, stale1, released1,
                        repeated1, unknown9, refused, suspected, hashed);
        assertThat(sequences("--pod", "default/web-0"))
                .containsExactly(reserve1, wired1, reserve2, wired2, stale1, released1);
        assertThat(sequences("--container", "111111"))
                .containsExactly(reserve1, wired1, stale1, released1, repeated1);
        assertThat(sequences("--address", "10.99.1.64"))
                .containsExactly(reserve1, wired1, stale1, released1);
        assertThat(sequences("--address", "10.99.1.70")).containsExactly(suspected);
        assertThat(sequences("--type", "wired", "--type", "RELEASED"))
                .containsExactly(wired1, wired2, released1);
        assertThat(sequences("--from-seq", "" + wired1, "--to-seq", "" + wired2))
                .containsExactly(wired1, reserve2, wired2);
        assertThat(sequences("--limit", "2")).containsExactly(start, range);
        assertThat(sequences("--since", "5m ago", "--limit", "1")).containsExactly(start);
        assertThat(sequences("--until", "5m ago")).isEmpty();
        assertThat(sequences("--since", "2999-01-01T00:00:00Z")).isEmpty();
    }

    @Test
    void eventsAsATable() {
        assertThat(
                        answered("events", "--from-seq", "" + wired2, "--to-seq", "" + suspected)
                                .timeless()
                                .lines()
                                .map(line -> line.replaceAll("  +", " | ")))
                .containsExactly(
                        "TIME | SEQ | TYPE | WHO | ADDRESSES | DETAILS",
                        "TIME | %d | Wired | default/web-0 2222222222222:eth0@podnet | 10.99.1.65 | "
                                .formatted(wired2),
                        "TIME | %d | DelReceived | default/web-0 1111111111111:eth0@podnet | 10.99.1.64 | stale, owner 2222222222222:eth0@podnet"
                                .formatted(stale1),
                        "TIME | %d | Released | default/web-0 1111111111111:eth0@podnet | 10.99.1.64 | del: nothing left in the kernel, cooling for 120 s"
                                .formatted(released1),
                        "TIME | %d | DelReceived | 1111111111111:eth0@podnet | repeated"
                                .formatted(repeated1),
                        "TIME | %d | DelReceived | 9999999999999:eth0@podnet | unknown, an ADD is refused for 300 s"
                                .formatted(unknown9),
                        "TIME | %d | AddRefused | default/db-0 9999999999999:eth0@podnet | fenced: its DEL came first"
                                .formatted(refused),
                        "TIME | %d | AttachmentSuspected | 10.99.1.70 | eniabcabcabcab: it carries our mark"
                                .formatted(suspected));
    }

    @Test
    void aDelAsJson() {
        JsonNode json =
                answered("events", "--json", "--from-seq", "" + stale1, "--limit", "1")
                        .json()
                        .getFirst();
        assertThat(json.get("type").asText()).isEqualTo("DelReceived");
        assertThat(json.get("time").asText()).matches("\\d{4}-.*T.*\\.\\d{3}Z");
        assertThat(json.get("ledgerMillis").asLong())
                .isEqualTo(1000 + 1000 + 5 + 60_000 + 5 + 2600);
        assertThat(json.get("confirmed").asBoolean()).isTrue();
        assertThat(json.get("network").asText()).isEqualTo("podnet");
        assertThat(json.get("containerId").asText()).isEqualTo(S1);
        assertThat(json.get("ifName").asText()).isEqualTo("eth0");
        assertThat(json.get("podNamespace").asText()).isEqualTo("default");
        assertThat(json.get("podName").asText()).isEqualTo("web-0");
        assertThat(json.get("podUid").asText()).isEqualTo("uid-of-web-0");
        assertThat(json.get("address").asText()).isEqualTo("10.99.1.64");
        assertThat(json.get("addresses").get(0).asText()).isEqualTo("10.99.1.64");
        assertThat(json.get("hostDevice").asText()).isEqualTo("eni11111111111");
        assertThat(json.get("verdict").asText()).isEqualTo("stale");
        assertThat(json.get("owner").get("containerId").asText()).isEqualTo(S2);
    }

    @Test
    void whoHadKnowsSinceAndUntil() {
        JsonNode json =
                answered("who-had", "10.99.1.64", "--at", "" + wired2, "--json").json().getFirst();
        assertThat(json.get("state").asText()).isEqualTo("wired");
        assertThat(json.get("containerId").asText()).isEqualTo(S1);
        assertThat(json.get("podName").asText()).isEqualTo("web-0");
        assertThat(json.get("sinceSequence").asLong()).isEqualTo(reserve1);
        assertThat(json.get("untilSequence").asLong()).isEqualTo(released1);
        assertThat(answered("who-had", "10.99.1.64", "--at", "" + stale1).timeless())
                .isEqualTo(
                        """
                        10.99.1.64 after sequence %d of TIME: held by default/web-0, container %s
                        container  %s
                        interface  eth0 in network podnet
                        state      releasing
                        since      TIME (sequence %d)
                        until      TIME (sequence %d)
                        """
                                .formatted(stale1, S1, S1, reserve1, released1));
    }

    @Test
    void whoHadSaysWhyNobodyHasAnAddress() {
        assertThat(run("who-had", "10.99.1.64", "--at", "" + hashed).timeless())
                .isEqualTo(
                        """
                        10.99.1.64 after sequence %d of TIME: cooling, held by nobody, free in 118 s
                        since      TIME (sequence %d)
                        until      so to the journal's end
                        before     default/web-0, container %s
                        """
                                .formatted(hashed, released1, S1));
        assertThat(nobody("10.99.1.64", wired2)).isEqualTo("wired");
        assertThat(nobody("10.99.1.66", wired2)).isEqualTo("free");
        assertThat(nobody("10.99.1.70", wired2)).isEqualTo("free");
        assertThat(nobody("10.99.1.70", hashed)).isEqualTo("suspect");
        assertThat(nobody("10.99.1.80", hashed)).isEqualTo("outside");
        assertThat(nobody("fd00::1", hashed)).isEqualTo("outside");
        assertThat(run("who-had", "10.99.1.66").code()).isEqualTo(3);
    }

    private String nobody(String address, long at) {
        return run("who-had", address, "--at", "" + at, "--json")
                .json()
                .getFirst()
                .get("state")
                .asText();
    }

    @Test
    void coolingEndsWithTimeAndWithoutAFact() {
        assertThat(
                        run("who-had", "10.99.1.64", "--at", "2999-01-01T00:00:00Z", "--json")
                                .json()
                                .getFirst()
                                .get("state")
                                .asText())
                .isEqualTo("free");
    }

    @Test
    void stateAtASequence() {
        String text = answered("state", "--at", "" + hashed).timeless();
        assertThat(text.replaceAll("hash   [0-9a-f]{16}", "hash   HASH"))
                .isEqualTo(
                        """
                        After sequence %d of TIME
                        pool   8 addresses: 5 free, 0 reserved, 1 wired, 0 releasing, 1 cooling, 1 suspect
                        range  10.99.1.64/29
                        fences 1
                        hash   HASH

                        STATE      ADDRESS                                  WHO
                        wired      10.99.1.65                               default/web-0  2222222222222:eth0@podnet  eni22222222222
                        cooling    10.99.1.64                               free in 118 s
                        suspect    10.99.1.70                               eniabcabcabcab: it carries our mark
                        """
                                .formatted(hashed));
        assertThat(answered("state", "--at", "" + wired1).out())
                .contains("7 free, 0 reserved, 1 wired", "1111111111111:eth0@podnet");
    }

    @Test
    void stateAsJson() {
        List<JsonNode> lines = answered("state", "--json").json();
        assertThat(lines.stream().map(json -> json.get("kind").asText()))
                .containsExactly("pool", "range", "holder", "cooling", "suspect");
        JsonNode pool = lines.getFirst();
        assertThat(pool.get("sequence").asLong()).isEqualTo(hashed);
        long sum = 0;
        for (String part :
                List.of("free", "reserved", "wired", "releasing", "cooling", "suspect")) {
            sum += pool.get(part).asLong();
        }
        assertThat(sum).isEqualTo(8).isEqualTo(pool.get("total").asLong());
        assertThat(pool.get("fences").asLong()).isEqualTo(1);
        assertThat(pool.get("stateHash").asText())
                .isEqualTo(
                        answered("events", "--json", "--type", "StateHashed")
                                .json()
                                .getFirst()
                                .get("stateHash")
                                .asText());
        assertThat(lines.get(2).get("containerId").asText()).isEqualTo(S2);
    }

    @Test
    void podTellsItsSandboxes() {
        assertThat(answered("pod", "default/web-0").timeless())
                .isEqualTo(
                        """
                        %1$s  eth0 in podnet
                          pod        default/web-0, uid uid-of-web-0
                          addresses  10.99.1.64
                          held       from TIME to TIME
                            TIME  %2$d  AddressReserved  routed on eni11111111111
                            TIME  %3$d  Wired
                            TIME  %4$d  DelReceived  stale, owner 2222222222222:eth0@podnet
                            TIME  %5$d  Released  del: nothing left in the kernel, cooling for 120 s
                            TIME  %6$d  DelReceived  repeated

                        %7$s  eth0 in podnet
                          pod        default/web-0, uid uid-of-web-0
                          addresses  10.99.1.65
                          held       from TIME to the journal's end, wired
                            TIME  %8$d  AddressReserved  routed on eni22222222222
                            TIME  %9$d  Wired

                        """
                                .formatted(
                                        S1, reserve1, wired1, stale1, released1, repeated1, S2,
                                        reserve2, wired2));
    }

    @Test
    void podAsJson() {
        JsonNode first = answered("pod", "default/web-0", "--json").json().getFirst();
        assertThat(first.get("containerId").asText()).isEqualTo(S1);
        assertThat(first.get("state").asText()).isEqualTo("released");
        assertThat(first.get("fromSequence").asLong()).isEqualTo(reserve1);
        assertThat(first.get("toSequence").asLong()).isEqualTo(released1);
        assertThat(first.get("cause").asText()).isEqualTo("del");
        assertThat(first.get("events")).hasSize(5);
        assertThat(run("pod", "default/none").code()).isEqualTo(3);
    }

    @Test
    void aPodThatNeverGotAnAddressHasAStoryToo() {
        assertThat(answered("pod", "default/db-0").out())
                .contains("addresses  none", "held       never", "fenced: its DEL came first");
    }

    @Test
    void verifyProvesAWholeJournal() {
        assertThat(answered("verify").out())
                .contains("records   13", "1 state hashes")
                .endsWith("\nsound\n");
        JsonNode json = answered("verify", "--json").json().getFirst();
        assertThat(json.get("sound").asBoolean()).isTrue();
        assertThat(json.get("lastSequence").asLong()).isEqualTo(hashed);
        assertThat(json.get("faults")).isEmpty();
    }

    @Test
    void aMomentBeyondTheJournalIsRefusedWithItsBounds() {
        Cli late = run("state", "--at", "4711");
        assertThat(late.code()).isEqualTo(1);
        assertThat(late.err())
                .isEqualTo("--at 4711: the journal ends with sequence " + hashed + "\n");
        Cli early = run("who-had", "10.99.1.64", "--at", "1999-01-01T00:00:00Z");
        assertThat(early.code()).isEqualTo(1);
        assertThat(early.err()).contains("the journal begins with sequence " + start);
    }
}
