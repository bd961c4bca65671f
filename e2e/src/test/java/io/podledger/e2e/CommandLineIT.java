package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the daemon says to whoever starts it by hand.
@Tag("netns")
class CommandLineIT {
    private final Node node = new Node();

    @AfterEach
    void close() {
        node.close();
    }

    @ParameterizedTest
    @CsvSource({
        "--pool, 10.99.1.1/24",
        "--pool, 10.99.1.0",
        "--cooldown, 5",
        "--cooldown, 25h",
        "--mode, fast",
        "--mtu, 100",
        "--segment-size, 3",
        "--nonsense, 1"
    })
    void aWrongOptionIsNamedAndNothingStarts(String option, String value) {
        Shell.Result result = up(List.of(), option, value);

        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains(option).doesNotContain("\tat ");
    }

    @Test
    void anEnvironmentVariableIsHeldToTheSameBounds() {
        Shell.Result result = up(List.of("env", "PODLEDGER_MTU=100"));

        assertThat(result.exit()).isEqualTo(2);
        assertThat(result.err()).contains("--mtu", "1280", "100");
    }

    @Test
    void rangesThatOverlapAreRefused() {
        Shell.Result result = up(List.of(), "--pool", "10.99.1.0/24", "--pool", "10.99.1.64/27");

        assertThat(result.exit()).isIn(2, 69);
        assertThat(result.err() + result.out())
                .contains("--pool", "10.99.1.64/27")
                .doesNotContain("\tat ");
    }

    @Test
    void helpSaysOfEachOptionItsDefault() {
        Shell.Result result = daemon("up", "--help");

        assertThat(result.exit()).isZero();
        Map<String, String> options = options(result.out());
        assertThat(options.keySet())
                .contains(
                        "--state-dir",
                        "--run-dir",
                        "--cni-conf-dir",
                        "--pool",
                        "--cooldown",
                        "--mode");
        options.remove("--help");
        options.remove("--version");
        assertThat(options).allSatisfy((option, text) -> assertThat(text).contains("Default:"));
        assertThat(options.get("--cooldown")).contains("s to ");
        assertThat(options.get("--mtu")).contains("MTU", "BYTES");
        assertThat(options.get("--segment-size")).contains("MiB");
    }

    @Test
    void theVersionIsTold() {
        assertThat(daemon("--version").ok().out()).matches("\\d+\\.\\d+\\.\\d+\\s*");
    }

    /// The text of each long option of a picocli help.
    private static Map<String, String> options(String help) {
        Map<String, String> options = new TreeMap<>();
        String option = "";
        for (String line : help.lines().toList()) {
            String start = line.replaceFirst("^ +(-[a-zA-Z], )?", "");
            if (start.startsWith("--")) {
                option = start.split("[= ]", 2)[0];
            }
            if (!option.isEmpty()) {
                options.merge(option, line, (one, other) -> one + " " + other.strip());
            }
        }
        return options;
    }

    /// On a node of its own, lest it starts where it should not.
    private Shell.Result up(List<String> before, String... options) {
        Shell.Result result = Shell.run(node.command(before, options).toArray(String[]::new));
        assertThat(node.ready()).isFalse();
        return result;
    }

    private static Shell.Result daemon(String... arguments) {
        List<String> command = new ArrayList<>(Node.java("ipamd-server/target/ipamd-server.jar"));
        command.addAll(List.of(arguments));
        return Shell.run(command.toArray(String[]::new));
    }
}
