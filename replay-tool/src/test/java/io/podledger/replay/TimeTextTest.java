package io.podledger.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeTextTest {
    private static final Instant NOW = Instant.parse("2026-08-01T10:00:00Z");
    private static final TimeText BERLIN = new TimeText(ZoneId.of("Europe/Berlin"), NOW);

    @ParameterizedTest
    @CsvSource({
        "now, 2026-08-01T10:00:00Z",
        "5m ago, 2026-08-01T09:55:00Z",
        "1h30m ago, 2026-08-01T08:30:00Z",
        "2d ago, 2026-07-30T10:00:00Z",
        "90s ago, 2026-08-01T09:58:30Z",
        "2026-08-01T09:00:00Z, 2026-08-01T09:00:00Z",
        "2026-08-01t09:00:00z, 2026-08-01T09:00:00Z",
        "2026-08-01T09:00:00.123456Z, 2026-08-01T09:00:00.123456Z",
        "2026-08-01T09:00:00+05:30, 2026-08-01T03:30:00Z",
        "2026-08-01 09:00:00-01:00, 2026-08-01T10:00:00Z",
        "2026-08-01T12:00:00, 2026-08-01T10:00:00Z",
        "2026-08-01 12:00, 2026-08-01T10:00:00Z",
        "2026-01-01 12:00, 2026-01-01T11:00:00Z",
    })
    void readsTimesAsPeopleWriteThem(String text, Instant expected) {
        assertThat(BERLIN.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "yesterday",
                "5 ago",
                "5m",
                "-5m ago",
                "2026-13-01T00:00:00Z",
                "2026-02-30 12:00",
                "2026-08-01",
                "12:00",
                "2026-08-01T10:00:00+99:00",
            })
    void saysWhatIsNotATime(String text) {
        assertThatThrownBy(() -> BERLIN.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not a time");
    }

    @ParameterizedTest
    @ValueSource(strings = {"999999999d ago", "1969-12-31T23:59:59Z", "+10000-01-01T00:00:00Z"})
    void keepsTimesWithinBounds(String text) {
        assertThatThrownBy(() -> BERLIN.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'" + text + "' is not between 1970 and 9999");
    }

    @ParameterizedTest
    @CsvSource({
        "2026-10-25 02:30, '''2026-10-25 02:30'' came twice in Europe/Berlin: add one of [+02:00, +01:00]'",
        "2026-03-29 02:30, '''2026-03-29 02:30'' was skipped by the clocks of Europe/Berlin'",
    })
    void doesNotGuessWhereTheClocksChange(String text, String complaint) {
        assertThatThrownBy(() -> BERLIN.parse(text)).hasMessage(complaint);
    }

    @ParameterizedTest
    @CsvSource({
        "2026-08-01T10:00:00Z, 2026-08-01T12:00:00.000+02:00",
        "2026-01-01T10:00:00.007Z, 2026-01-01T11:00:00.007+01:00",
    })
    void showsTimesInTheZone(Instant time, String shown) {
        assertThat(BERLIN.show(time.toEpochMilli())).isEqualTo(shown);
    }
}
