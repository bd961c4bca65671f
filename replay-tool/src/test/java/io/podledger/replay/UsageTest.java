package io.podledger.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UsageTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "events --since yesterday | --since: 'yesterday' is not a time. Examples: 2026-08",
                "events --limit 0 | --limit: 0 is less than 1",
                "events --limit x | --limit",
                "events --container abc | --container: 'abc' is shorter than 6 characters",
                "events --pod web | --pod: 'web' is not NAMESPACE/NAME. Examples: default/web-0",
                "events --type Reserved | --type: 'Reserved' is no type of fact. There are Daemon",
                "events --address 1.2.3.x | --address: '1.2.3.x' is not an IP address. Examples: 10.",
                "events --zone Mars | --zone: 'Mars' is not a time zone. Examples: UTC",
                "state --at 0 | --at: '0': sequences begin with 1. Examples: 4711",
                "state --at 5m | --at: '5m' is not a time. Examples: 4711",
                "who-had | IP",
                "who-had ten | IP: 'ten' is not an IP address",
                "pod web | NAMESPACE/NAME: 'web' is not NAMESPACE/NAME",
                "verify --nonsense | --nonsense",
            })
    void wrongUseNamesTheOptionAndEndsWith2(String line, String complaint) {
        Cli cli = Cli.run(line.split(" "));
        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains(complaint).contains("--help").doesNotContain("\tat ");
        assertThat(cli.err().lines().count()).isLessThanOrEqualTo(2);
        assertThat(cli.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "nonsense", "--nonsense"})
    void withoutAVerbTheVerbsAreShown(String line) {
        Cli cli = line.isEmpty() ? Cli.run() : Cli.run(line);
        assertThat(cli.code()).isEqualTo(2);
        assertThat(cli.err()).contains("verify", "events", "state", "who-had", "pod");
    }

    @ParameterizedTest
    @ValueSource(strings = {"verify", "events", "state", "who-had", "pod"})
    void helpOfEachVerbHasAnExample(String verb) {
        Cli cli = Cli.run(verb, "--help");
        assertThat(cli.code()).isZero();
        assertThat(cli.out())
                .contains("Usage: podledger replay " + verb)
                .contains("Example: podledger replay " + verb)
                .contains("--state-dir", "--json", "--zone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"state", "who-had"})
    void helpSaysWhatATimeMeansWhenTheClockJumps(String verb) {
        assertThat(Cli.run(verb, "--help").out().replaceAll("\\s+", " ")).contains(Survey.HELP);
    }

    @Test
    void aFolderWithoutAJournalIsNamedWithItsOption(@TempDir Path folder) {
        Cli cli = Cli.run("verify", "--state-dir", folder.toString());
        assertThat(cli.code()).isEqualTo(1);
        assertThat(cli.err())
                .startsWith("--state-dir " + folder)
                .contains("holds journal/")
                .doesNotContain("\tat ");
    }
}
