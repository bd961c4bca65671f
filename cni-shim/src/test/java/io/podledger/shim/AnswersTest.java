package io.podledger.shim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What goes to a daemon that is there, and what the plugin makes of its answers.
@ParameterizedClass
@EnumSource(Build.class)
class AnswersTest {
    private static final byte[] GOOD =
            CniFrame.encode(FakeDaemon.response(0, "a result\n").toByteArray());

    private final Build build;
    @TempDir Path folder;

    AnswersTest(Build build) {
        this.build = build;
    }

    private Plugin plugin(String command) {
        return Plugin.in(folder, build, command);
    }

    @Test
    void theRequestIsTheCallByteForByte() throws IOException {
        byte[] config = "{\"name\":\"n\u0000\u0001\u00ff\"}\u0000\u0000".getBytes(UTF_8);
        Plugin plugin = plugin("CHECK").with("CNI_NETNS_OVERRIDE", "1").stdin(config);
        try (var daemon = new FakeDaemon(folder, FakeDaemon.answer(0, ""))) {
            plugin.run().silent();
            assertThat(daemon.requests())
                    .containsExactly(CniFrame.encode(plugin.expected().build().toByteArray()));
        }
    }

    @Test
    void onlyTheVariablesOfCNIAndItsOwnTwoMatter() throws IOException {
        Plugin plugin = plugin("CHECK");
        Plugin hostile =
                plugin.with("MALLOC_ARENA_MAX", "99999999999999")
                        .with("MALLOC_CHECK_", "3")
                        .with("MALLOC_PERTURB_", "255")
                        .with("TMPDIR", "/nowhere")
                        .with("LANG", "de_DE.UTF-8")
                        .with("LANGUAGE", "de")
                        .with("LC_ALL", "tr_TR.UTF-8")
                        .with("IFS", "/")
                        .with("CNI_SURPRISE", "x")
                        .with("TRACEPARENT", "00-" + "a".repeat(100_000));
        try (var daemon = new FakeDaemon(folder, FakeDaemon.answer(0, ""))) {
            plugin.run().silent();
            hostile.run().silent();
            assertThat(daemon.requests().get(1)).isEqualTo(daemon.requests().get(0));
        }
    }

    @Test
    void aValueThatIsNoTextGoesAsItIs() throws IOException {
        String script = "CNI_ARGS=$(printf '\\377\\376=\\001\"') exec \"$0\"";
        try (var daemon = new FakeDaemon(folder, FakeDaemon.answer(0, ""))) {
            plugin("CHECK").shell(script).run().silent();
            assertThat(daemon.request().getArgs().toByteArray())
                    .containsExactly(0xff, 0xfe, '=', 1, '"');
        }
    }

    @Test
    void aNamespaceThatCannotBeOpenedIsToldWithTheReason() throws IOException {
        int enoent = 2;
        Plugin plugin = plugin("CHECK").with("CNI_NETNS", folder + "/none");
        try (var daemon = new FakeDaemon(folder, FakeDaemon.answer(0, ""))) {
            plugin.run().silent();
            assertThat(daemon.request()).isEqualTo(plugin.expected().setNetnsErrno(enoent).build());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 77})
    void theAnswerIsPrintedAsItIsAndItsCodeIs0Or1(int code) throws IOException {
        String output = "{\"code\":11}\u0000\u00e4\n";
        try (var daemon = new FakeDaemon(folder, FakeDaemon.answer(code, output))) {
            Plugin.Result result = plugin("ADD").run();
            assertThat(result.text()).isEqualTo(output);
            assertThat(result.exit()).isEqualTo(code == 0 ? 0 : 1);
            assertThat(daemon.requests()).hasSize(1);
        }
    }

    @Test
    void theLargestAnswerAndTheLargestRequestPass() throws IOException {
        byte[] config = new byte[1_000_000];
        new Random(1).nextBytes(config);
        String output = "x".repeat(1_000_000);
        try (var daemon = new FakeDaemon(folder, FakeDaemon.answer(0, output))) {
            assertThat(plugin("ADD").stdin(config).run().text()).isEqualTo(output);
            assertThat(daemon.request().getConfig().toByteArray()).isEqualTo(config);
        }
    }

    @Test
    void anAnswerMayComeByteByByte() throws IOException {
        FakeDaemon.Turn slowly =
                (daemon, caller) -> {
                    daemon.read(caller);
                    for (byte one : GOOD) {
                        FakeDaemon.write(caller, new byte[] {one});
                    }
                };
        try (var daemon = new FakeDaemon(folder, slowly)) {
            assertThat(plugin("ADD").run().text()).isEqualTo("a result\n");
            assertThat(daemon.requests()).hasSize(1);
        }
    }

    /// A daemon that is full need not read what it refuses.
    @Test
    void anAnswerCountsThatComesBeforeTheRequestIsThrough() throws IOException {
        FakeDaemon.Turn early = (_, caller) -> FakeDaemon.write(caller, GOOD);
        try (var daemon = new FakeDaemon(folder, early)) {
            Plugin.Result result = plugin("ADD").stdin(new byte[1_000_000]).run();
            assertThat(result.text()).isEqualTo("a result\n");
            assertThat(daemon.requests()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void anAnswerOfTheNeighbouringVersionIsServed(int version) throws IOException {
        byte[] frame = changed(header -> header.putShort(4, (short) version));
        try (var _ = new FakeDaemon(folder, FakeDaemon.bytes(frame))) {
            assertThat(plugin("ADD").run().text()).isEqualTo("a result\n");
        }
    }

    @Test
    void unknownFieldsOfAnAnswerArePassedOver() throws IOException {
        byte[] newer = {
            (byte) 0xa0,
            6,
            1,
            (byte) 0xa9,
            6,
            1,
            2,
            3,
            4,
            5,
            6,
            7,
            8,
            (byte) 0xad,
            6,
            1,
            2,
            3,
            4,
            (byte) 0xa2,
            6,
            2,
            'h',
            'i',
            8,
            1
        };
        try (var _ = new FakeDaemon(folder, FakeDaemon.bytes(CniFrame.encode(newer)))) {
            Plugin.Result result = plugin("ADD").run();
            assertThat(result.text()).isEmpty();
            assertThat(result.exit()).isEqualTo(1);
        }
    }

    /// Answers that are none.
    enum Garbage {
        TEXT("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8)),
        MAGIC(changed(header -> header.put(3, (byte) 'X'))),
        VERSION_3(changed(header -> header.putShort(4, (short) 3))),
        VERSION_65535(changed(header -> header.putShort(4, (short) -1))),
        TOO_LONG(changed(header -> header.putInt(8, CniFrame.MESSAGE_BYTES_MAX + 1))),
        LENGTH_OF_4_GIB(changed(header -> header.putInt(8, -1))),
        CHECKSUM(changed(header -> header.putInt(12, header.getInt(12) ^ 1))),
        PAYLOAD(changed(header -> header.put(18, (byte) 1))),
        VARINT_WITHOUT_END(CniFrame.encode(new byte[] {8, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1})),
        VARINT_CUT(CniFrame.encode(new byte[] {8, -1})),
        BYTES_BEYOND_THE_END(CniFrame.encode(new byte[] {0x12, 5, 'a'})),
        BYTES_OF_2_TO_THE_63(
                CniFrame.encode(new byte[] {0x12, -1, -1, -1, -1, -1, -1, -1, -1, 127, 'a'})),
        FIXED_CUT(CniFrame.encode(new byte[] {0x21, 1, 2, 3})),
        GROUP(CniFrame.encode(new byte[] {0x1b})),
        /// Only a DEL can be kept for later.
        SPOOL(CniFrame.encode(new byte[] {0x18, 1}));

        private final String hex;

        Garbage(byte[] bytes) {
            hex = HexFormat.of().formatHex(bytes);
        }

        private byte[] bytes() {
            return HexFormat.of().parseHex(hex);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anADDIsToBeTriedAgainWhenTheAnswerIsNone(Garbage garbage) throws IOException {
        try (var daemon = new FakeDaemon(folder, FakeDaemon.bytes(garbage.bytes()))) {
            plugin("ADD").run().failed(11, "answered with something else on " + folder);
            assertThat(daemon.requests()).hasSize(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aDELIsKeptWhenTheAnswerIsNone(Garbage garbage) throws IOException {
        try (var _ = new FakeDaemon(folder, FakeDaemon.bytes(garbage.bytes()))) {
            Plugin plugin = plugin("DEL");
            plugin.run().silent();
            assertThat(plugin.spooled()).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 16, 20})
    void anEndedStreamFailsACHECKAndKeepsADEL(int bytes) throws IOException {
        byte[] cut = Arrays.copyOf(GOOD, bytes);
        try (var daemon = new FakeDaemon(folder, FakeDaemon.bytes(cut))) {
            Plugin del = plugin("DEL");
            plugin("CHECK").run().failed(11, "ended the call on " + folder);
            del.run().silent();
            assertThat(del.spooled()).hasSize(1);
            assertThat(daemon.requests()).hasSize(2);
        }
    }

    @Test
    void anADDIsAskedAgainWithTheSameBytesWhenTheDaemonEnded() throws IOException {
        FakeDaemon.Turn cut = FakeDaemon.bytes(Arrays.copyOf(GOOD, 20));
        FakeDaemon.Turn unread = (_, _) -> {};
        try (var daemon =
                new FakeDaemon(folder, cut, unread, cut, FakeDaemon.answer(0, "a result\n"))) {
            Plugin.Result result = plugin("ADD").run();
            assertThat(result.text()).isEqualTo("a result\n");
            assertThat(result.exit()).isZero();
            assertThat(daemon.requests()).hasSize(3);
            assertThat(daemon.requests().get(1)).isEqualTo(daemon.requests().get(0));
            assertThat(daemon.requests().get(2)).isEqualTo(daemon.requests().get(0));
        }
    }

    @Test
    void aDELThatWasAnsweredIsNotKeptWhateverTheAnswer() throws IOException {
        try (var _ =
                new FakeDaemon(
                        folder, FakeDaemon.answer(0, ""), FakeDaemon.answer(1, "{\"code\":7}"))) {
            Plugin plugin = plugin("DEL");
            plugin.run().silent();
            assertThat(plugin.run().text()).isEqualTo("{\"code\":7}");
            assertThat(plugin.spooled()).isEmpty();
        }
    }

    @Test
    void aDELIsKeptWhenTheDaemonSaysSo() throws IOException {
        CniResponse keep = FakeDaemon.response(1, "no").toBuilder().setSpool(true).build();
        try (var _ = new FakeDaemon(folder, FakeDaemon.answer(keep))) {
            Plugin plugin = plugin("DEL");
            plugin.run().silent();
            assertThat(plugin.spooled()).hasSize(1);
        }
    }

    /// The shortest of the waits for an answer stands for all; `SystemCallsTest` has the others.
    @Test
    void aSTATUSWaitsFor2S() throws IOException {
        try (var daemon = new FakeDaemon(folder, FakeDaemon.silence())) {
            plugin("STATUS").run().failed(50, "did not answer in time on " + folder);
            assertThat(daemon.requests()).hasSize(1);
        }
    }

    @Test
    void anADDFailsThatCannotBePrinted() throws IOException {
        try (var _ = new FakeDaemon(folder, FakeDaemon.answer(0, "a result\n"))) {
            assertThat(plugin("ADD").shell("exec \"$0\" >&-").run().exit()).isEqualTo(1);
            assertThat(plugin("ADD").shell("exec \"$0\" >/dev/full").run().exit()).isEqualTo(1);
        }
    }

    private static byte[] changed(Consumer<ByteBuffer> change) {
        ByteBuffer frame = ByteBuffer.wrap(GOOD.clone()).order(ByteOrder.LITTLE_ENDIAN);
        change.accept(frame);
        return frame.array();
    }
}
