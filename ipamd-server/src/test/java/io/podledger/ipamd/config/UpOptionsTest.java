package io.podledger.ipamd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/// Every option: its default, its flag, its variable, and what its help says.
class UpOptionsTest {
    /// @param value as it is read without flag and variable
    /// @param other a value that flag and variable are given
    /// @param read what `other` is read as
    /// @param help what the help says of unit and default
    record Row(String option, String value, String other, String read, String help) {}

    private static final List<Row> ROWS =
            List.of(
                    new Row("--state-dir", "/var/lib/podledger", "/s", "/s", "/var/lib/podledger"),
                    new Row("--run-dir", "/run/podledger", "/r", "/r", "/run/podledger"),
                    new Row("--cni-conf-dir", "/etc/cni/net.d", "/c", "/c", "/etc/cni/net.d"),
                    new Row(
                            "--pool",
                            "[198.18.0.0/24]",
                            "10.1.0.0/16@eth1,table=9;fd00::/64",
                            "[10.1.0.0/16@eth1,table=9, fd00::/64]",
                            "198.18.0.0/24"),
                    new Row("--cooldown", "PT2M", "500ms", "PT0.5S", "0s to 24h. Default: 120s"),
                    new Row("--mode", "ROUTED", "ipam", "IPAM", "routed"),
                    new Row("--mtu", "0", "9000", "9000", "BYTES"),
                    new Row("--runtime-endpoint", "auto", "unix:///r.sock", "/r.sock", "auto"),
                    new Row("--runtime-list-every", "PT30S", "2s", "PT2S", "1s to 10m"),
                    new Row("--sweep-grace", "PT1M", "5s", "PT5S", "1s to 24h"),
                    new Row("--sweep-floor", "PT5M", "0s", "PT0S", "24h"),
                    new Row("--sysctl-dir", "/proc/sys", "/p", "/p", "/proc/sys"),
                    new Row("--machine-id-file", "/etc/machine-id", "/m", "/m", "/etc/machine-id"),
                    new Row("--portmap", "false", "true", "true", "Default: no"),
                    new Row("--segment-size", "16", "64", "64", "MiB"));

    @Command(name = "up", mixinStandardHelpOptions = true)
    static final class Up {
        @Mixin UpOptions options = new UpOptions();
    }

    private static CommandLine parsed(String... arguments) {
        CommandLine line = new CommandLine(new Up());
        line.parseArgs(arguments);
        ((Up) line.getCommand()).options.check();
        return line;
    }

    private static String value(CommandLine line, String option) {
        OptionSpec spec = line.getCommandSpec().findOption(option);
        return String.valueOf(spec.<Object>getValue());
    }

    static Stream<Row> rows() {
        return ROWS.stream();
    }

    private static String variable(String option) {
        return "PODLEDGER_" + option.substring(2).replace('-', '_').toUpperCase(Locale.ROOT);
    }

    @Test
    void everyOptionIsInTheTable() {
        List<String> options =
                new CommandLine(new Up())
                        .getCommandSpec().options().stream()
                                .map(OptionSpec::longestName)
                                .filter(name -> !List.of("--help", "--version").contains(name))
                                .toList();

        assertThat(options).containsExactlyInAnyOrderElementsOf(rows().map(Row::option).toList());
    }

    @ParameterizedTest
    @MethodSource("rows")
    void anOptionHasItsDefaultItsFlagAndItsHelp(Row row) {
        assertThat(value(parsed(), row.option())).isEqualTo(row.value());
        assertThat(value(parsed(row.option() + "=" + row.other()), row.option()))
                .isEqualTo(row.read());
        OptionSpec spec = new CommandLine(new Up()).getCommandSpec().findOption(row.option());
        assertThat(spec.paramLabel() + " " + String.join(" ", spec.description()))
                .contains("Default: ", row.help());
    }

    /// In a process of its own, since a variable cannot be set in this one.
    @Test
    void everyOptionHasItsVariable() throws Exception {
        Map<String, String> variables =
                rows().collect(Collectors.toMap(row -> variable(row.option()), Row::other));

        assertThat(inProcess(variables))
                .containsExactlyInAnyOrderElementsOf(
                        rows().map(row -> row.option() + "=" + row.read()).toList());
        assertThat(inProcess(variables, "--portmap=false", "--mtu=1500"))
                .contains("--portmap=false", "--mtu=1500", "--state-dir=/s");
        assertThat(inProcess(variables, "--portmap")).contains("--portmap=true");
    }

    private static List<String> inProcess(Map<String, String> variables, String... arguments)
            throws Exception {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                System.getProperty("java.home") + "/bin/java",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Shown.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(variables);
        Process process = builder.start();
        try (var lines = process.inputReader()) {
            return lines.lines().toList();
        }
    }

    /// Prints what was read, an option a line.
    static final class Shown {
        private Shown() {}

        public static void main(String... arguments) {
            CommandLine line = parsed(arguments);
            rows().map(row -> row.option() + "=" + value(line, row.option()))
                    .forEach(System.out::println);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "--mtu=1279,1280 to 9216",
        "--mtu=9217,1280 to 9216",
        "--mtu=-1,1280 to 9216",
        "--mtu=x,int",
        "--cooldown=25h,24h",
        "--cooldown=-1s,120s",
        "--cooldown=7,120s",
        "--segment-size=0,1 to 1024",
        "--segment-size=3,power of two",
        "--segment-size=2048,1 to 1024",
        "--runtime-endpoint=tcp://1.2.3.4,absolute path",
        "--runtime-endpoint=,absolute path",
        "--runtime-list-every=999ms,1s to 10m",
        "--runtime-list-every=11m,1s to 10m",
        "--sweep-grace=999ms,1s to 24h",
        "--sweep-floor=25h,24h",
        "--mode=bridge,neither routed nor ipam",
        "--pool=10.0.0.1/24,10.0.0.0/24",
        "--portmap=maybe,boolean",
        "--state-dir=,empty",
        "--run-dir=,empty",
        "--cni-conf-dir=,empty",
        "--sysctl-dir=,empty"
    })
    void aWrongValueIsRefusedWithTheOptionsNameAndBound(String argument, String bound) {
        assertThatExceptionOfType(ParameterException.class)
                .isThrownBy(() -> parsed(argument))
                .withMessageContaining(argument.substring(0, argument.indexOf('=')))
                .withMessageContaining(bound);
    }

    @ParameterizedTest
    @CsvSource({"500ms,PT0.5S", "0s,PT0S", "5m,PT5M", "24h,PT24H"})
    void durationsAreReadAsOperatorsWriteThem(String text, String duration) {
        assertThat(value(parsed("--cooldown", text), "--cooldown")).isEqualTo(duration);
    }

    @Test
    void everySettingChangesTheDigest() {
        List<String> digests =
                Stream.concat(
                                Stream.of(parsed()),
                                rows().map(row -> parsed(row.option() + "=" + row.other())))
                        .map(line -> ((Up) line.getCommand()).options.digest())
                        .toList();

        assertThat(digests).doesNotHaveDuplicates().allMatch(text -> text.matches("[0-9a-f]{16}"));
    }
}
