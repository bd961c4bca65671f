package io.podledger.shim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The plugin as the kernel sees it, and with a kernel that fails: by Debian's package strace. Only
/// the shipped build: what a sanitizer's runtime does is not its business.
@Tag("strace")
class SystemCallsTest {
    private static final Pattern CALL = Pattern.compile("^(\\w+)\\(", Pattern.MULTILINE);
    private static final Pattern LAST_WAIT =
            Pattern.compile("events=POLLIN}], 1, (\\d+)\\) = 0 \\(Timeout\\) \\(INJECTED\\)");

    /// stdin is polled twice: for its bytes, and for its end.
    private static final String ANSWER_NEVER_COMES = "inject=poll:retval=0:when=3";

    private static final String FULL = "inject=sendmsg:error=EAGAIN";

    @TempDir Path folder;

    private Path trace() {
        return folder.resolve("trace");
    }

    private Plugin traced(String command, String expression) {
        return Plugin.in(folder, Build.STATIC, command)
                .under("strace", "-y", "-o", trace().toString(), "-e", expression);
    }

    @Test
    void aSpooledDELIsDurableUnderItsNameBeforeItSucceeds() throws IOException {
        traced("DEL", "trace=all").run().silent();
        String spool = Pattern.quote(folder.resolve("spool").toString());
        String name = "(\\d+-\\d+-\\d+-[0-9a-f]+\\.del)";
        String flags = "O_WRONLY\\|O_CREAT\\|O_EXCL\\|O_CLOEXEC";
        String fd = "\\d+<" + spool + "/\\.\\1>";
        assertThat(Files.readString(trace()))
                .containsPattern(
                        Pattern.compile(
                                String.join(
                                        "(?s:.*)",
                                        "mkdir\\(\"" + spool + "\", 0700\\) += 0",
                                        "fsync\\(\\d+<" + folder + ">\\) += 0",
                                        "openat\\(\\d+<"
                                                + spool
                                                + ">, \"\\."
                                                + name
                                                + "\", "
                                                + flags
                                                + ", 0600\\)",
                                        "write\\(" + fd,
                                        "fsync\\(" + fd + "\\) += 0",
                                        "close\\(" + fd + "\\) += 0",
                                        "renameat\\(.*\"\\.\\1\", .*\"\\1\"\\) += 0",
                                        "fsync\\(\\d+<" + spool + ">\\) += 0",
                                        "exit_group\\(0\\)")));
    }

    @ParameterizedTest
    @CsvSource({"ADD, 60000", "CHECK, 30000", "GC, 30000", "STATUS, 2000", "DEL, 15000"})
    void theWaitForAnAnswerHasABound(String command, int bound)
            throws IOException, InterruptedException {
        try (var daemon = new FakeDaemon(folder, FakeDaemon.silence())) {
            Plugin plugin = traced(command, ANSWER_NEVER_COMES);
            Plugin.Result result = plugin.run();
            switch (command) {
                case "DEL" -> {
                    result.silent();
                    assertThat(plugin.spooled()).hasSize(1);
                }
                case "STATUS" -> result.failed(50, "did not answer in time");
                default -> result.failed(11, "did not answer in time");
            }
            daemon.hear();
            assertThat(daemon.requests()).hasSize(1);
            Matcher wait = LAST_WAIT.matcher(Files.readString(trace()));
            assertThat(wait.find()).isTrue();
            assertThat(Integer.parseInt(wait.group(1))).isBetween(bound / 4, bound);
        }
    }

    /// A frame that the daemon does not take out of a full socket is no answer either.
    @Test
    void aDaemonThatDoesNotReadIsSilent() throws IOException {
        FakeDaemon.Turn unread = (daemon, _) -> daemon.untilClosed();
        try (var _ = new FakeDaemon(folder, unread)) {
            Plugin.in(folder, Build.STATIC, "ADD")
                    .under("strace", "-o", trace().toString(), "-e", FULL, "-e", ANSWER_NEVER_COMES)
                    .run()
                    .failed(11, "did not answer in time");
        }
    }

    /// stdin is polled twice, the answer for its header and its message, then stdout.
    @Test
    void anAnswerThatNobodyTakesIsGivenUp() throws IOException {
        try (var _ = new FakeDaemon(folder, FakeDaemon.answer(0, "a result\n"))) {
            Plugin.Result result = traced("ADD", "inject=poll:retval=0:when=5").run();
            assertThat(result.text()).isEmpty();
            assertThat(result.exit()).isEqualTo(1);
            assertThat(Files.readString(trace()))
                    .containsPattern(
                            "fd=1<.*events=POLLOUT}], 1, (9\\d{3}|10000)\\) = 0 \\(Timeout");
        }
    }

    @Test
    void aStdinThatBreaksOffIsAnErrorAndNoShorterCall() throws IOException {
        try (var daemon = new FakeDaemon(folder, FakeDaemon.answer(0, ""))) {
            traced("DEL", "inject=read:error=EIO:when=2")
                    .run()
                    .failed(
                            5,
                            "stdin cannot be read to its end\",\"details\":\"Input/output error");
            assertThat(daemon.requests()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "poll:error=EINTR:when=1",
                "read:error=EINTR:when=1",
                "poll:error=EINTR:when=3",
                "sendmsg:error=EINTR:when=1",
                "sendmsg:error=EAGAIN:when=1",
                "recvfrom:error=EINTR:when=1",
                "recvfrom:error=EAGAIN:when=1",
                "connect:error=EINTR:when=1",
                "connect:error=EAGAIN:when=1",
                "write:error=EINTR:when=1"
            })
    void anInterruptionChangesNothing(String injection) throws IOException {
        try (var daemon = new FakeDaemon(folder, FakeDaemon.answer(0, "a result\n"))) {
            Plugin.Result result = traced("ADD", "inject=" + injection).run();
            assertThat(result.text()).isEqualTo("a result\n");
            assertThat(result.exit()).isZero();
            assertThat(daemon.requests()).hasSize(1);
            assertThat(Files.readString(trace())).contains("(INJECTED)");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "fsync:error=EIO:when=1", "fsync:error=EIO:when=2", "renameat:error=EIO",
                "write:error=EIO:when=1", "write:retval=0:when=1", "mkdir:error=EIO"
            })
    void aDELThatTheDiskRefusesIsAnErrorAndLeavesNothing(String injection) throws IOException {
        Plugin plugin = traced("DEL", "inject=" + injection);
        plugin.run().failed(11, "cannot be kept in " + folder + "/spool: Input/output error");
        assertThat(plugin.spooled()).isEmpty();
        assertThat(hidden()).isEmpty();
    }

    /// It may stay: it is whole, and a DEL may come twice.
    @Test
    void aDELWhoseNameMayNotBeDurableIsAnError() {
        Plugin plugin = traced("DEL", "inject=fsync:error=EIO:when=3");
        plugin.run().failed(11, "Input/output error");
        assertThat(plugin.spooled().stream().map(Plugin::read)).hasSize(1);
    }

    /// The third file that is opened is the spool, after `/dev/null` and the boot's id: it is not
    /// there, and the next moment it is.
    @Test
    void anotherPluginMayMakeTheFolderAtTheSameMoment() throws IOException {
        Files.createDirectory(folder.resolve("spool"));
        Plugin plugin = traced("DEL", "inject=openat:error=ENOENT:when=3");
        plugin.run().silent();
        assertThat(plugin.spooled()).hasSize(1);
        assertThat(Files.readString(trace())).contains("(INJECTED)").contains("EEXIST");
    }

    @Test
    void aDELIsKeptWhereNoDescriptorIsLeftForTheCall() {
        Plugin plugin = traced("DEL", "inject=socket:error=EMFILE");
        plugin.run().silent();
        assertThat(plugin.spooled()).hasSize(1);
    }

    @Test
    void anErrnoIsToldAndNeverSaysThatSomethingWasNotFound() {
        for (String errno : List.of("ENOENT", "ENOKEY", "ENODEV", "ESTALE", "ENOSPC", "EDQUOT")) {
            traced("DEL", "inject=renameat:error=" + errno).run().failed(11, "cannot be kept in");
        }
    }

    /// SIGKILL at each system call of a DEL.
    @Test
    void killedAtAnyCallItLeavesAWholeFileOrNone() throws IOException {
        traced("DEL", "trace=all").run().silent();
        long kept = 0;
        List<String> points = points(Files.readString(trace()));
        assertThat(points).hasSizeGreaterThan(20);
        for (String point : points) {
            Plugin plugin =
                    traced("DEL", "inject=" + point)
                            .with("PODLEDGER_SPOOL", folder.resolve(point).toString());
            assertThat(plugin.run().exit()).as(point).isEqualTo(137);
            assertThat(plugin.spooled().stream().map(Plugin::read))
                    .as(point)
                    .allMatch(read -> read.getConfig().toStringUtf8().equals("{}"));
            kept += plugin.spooled().size();
        }
        assertThat(kept).isBetween(1L, points.size() - 1L);
    }

    /// Each call of the trace as an injection, the first one apart: strace itself makes it.
    private static List<String> points(String trace) {
        Map<String, Integer> seen = new HashMap<>();
        List<String> points = new ArrayList<>();
        Matcher call = CALL.matcher(trace);
        while (call.find()) {
            int count = seen.merge(call.group(1), 1, Integer::sum);
            if (!call.group(1).equals("execve")) {
                points.add(call.group(1) + ":signal=KILL:when=" + count);
            }
        }
        return points;
    }

    private List<Path> hidden() throws IOException {
        Path spool = folder.resolve("spool");
        if (!Files.exists(spool)) {
            return List.of();
        }
        try (var files = Files.list(spool)) {
            return files.toList();
        }
    }
}
