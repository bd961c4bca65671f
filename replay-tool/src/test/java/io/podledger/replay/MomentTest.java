package io.podledger.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MomentTest {
    private static final TimeText TIMES =
            new TimeText(ZoneOffset.UTC, Instant.parse("2026-08-01T10:00:00Z"));

    @Test
    void digitsAloneAreASequence() {
        assertThat(Moment.parse("4711", TIMES)).isEqualTo(new Moment.AtSequence(4711));
    }

    @Test
    void everythingElseIsATime() {
        assertThat(Moment.parse("1m ago", TIMES))
                .isEqualTo(new Moment.AtTime(Instant.parse("2026-08-01T09:59:00Z")));
    }

    @ParameterizedTest
    @CsvSource({
        "0, '''0'': sequences begin with 1'",
        "9223372036854775808, '''9223372036854775808'' is too large for a sequence'",
        "-1, '''-1'' is not a time'",
    })
    void saysWhatIsNeither(String text, String complaint) {
        assertThatThrownBy(() -> Moment.parse(text, TIMES)).hasMessage(complaint);
    }
}
