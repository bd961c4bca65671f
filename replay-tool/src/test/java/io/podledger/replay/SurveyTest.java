package io.podledger.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.podledger.journal.LogRecord;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class SurveyTest {
    private static final TimeText UTC = new TimeText(ZoneOffset.UTC, Instant.EPOCH);

    /// Records 10, 11, … with these wall times in ms, one second of ledger time apart.
    private static Survey survey(Moment moment, long... wallMillis) {
        var survey = new Survey(moment);
        for (int i = 0; i < wallMillis.length; i++) {
            survey.record(new LogRecord(10 + i, 1000L * i, wallMillis[i], 1, new byte[0]), true);
        }
        return survey;
    }

    private static Moment at(long wallMillis) {
        return new Moment.AtTime(Instant.ofEpochMilli(wallMillis));
    }

    private static long meant(Survey survey) {
        return survey.meant(99, UTC).sequence();
    }

    @Test
    void aTimeMeansTheLastRecordBeforeIt() {
        Survey survey = survey(at(2500), 1000, 2000, 3000);
        assertThat(meant(survey)).isEqualTo(11);
        assertThat(survey.older()).isEmpty();
    }

    @Test
    void aTimeAfterAllMeansTheEnd() {
        assertThat(meant(survey(at(9000), 1000, 2000, 3000))).isEqualTo(12);
    }

    @Test
    void aClockThatWasAheadForAWhileHidesNothing() {
        assertThat(meant(survey(at(2500), 1000, 86_400_000, 86_401_000, 2000, 2400, 3000)))
                .isEqualTo(14);
    }

    @Test
    void aTimeThatCameTwiceMeansTheNewerPlaceAndNamesTheOlder() {
        Survey survey = survey(at(2500), 1000, 2000, 3000, 1500, 2200, 3100);
        assertThat(meant(survey)).isEqualTo(14);
        assertThat(survey.older().map(LogRecord::sequence)).contains(11L);
    }

    @Test
    void ledgerTimeGoesOnBetweenRecordsButNotBeyondTheNext() {
        Survey near = survey(at(2500), 1000, 2000, 3000);
        assertThat(near.ledgerMillis(near.meant(99, UTC))).isEqualTo(1500);
        Survey jumped = survey(at(80_000_000), 1000, 2000, 86_400_000);
        assertThat(jumped.ledgerMillis(jumped.meant(99, UTC))).isEqualTo(2000);
        Survey end = survey(at(10_000), 1000, 2000);
        assertThat(end.ledgerMillis(end.meant(99, UTC))).isEqualTo(9000);
    }

    @Test
    void aSequenceOfTheJournalsOwnMeansTheFactBeforeIt() {
        var survey = new Survey(new Moment.AtSequence(12));
        survey.record(new LogRecord(10, 0, 0, 1, new byte[0]), true);
        survey.record(new LogRecord(14, 0, 0, 1, new byte[0]), true);
        assertThat(meant(survey)).isEqualTo(10);
    }

    @Test
    void whatTheJournalDoesNotReachIsRefusedWithItsBounds() {
        assertThatThrownBy(() -> meant(survey(at(500), 1000, 2000)))
                .hasMessage(
                        "--at: the journal begins with sequence 10 at 1970-01-01T00:00:01.000Z,"
                                + " and nothing older is kept");
        assertThatThrownBy(() -> meant(survey(new Moment.AtSequence(9), 1000)))
                .hasMessageContaining("begins with sequence 10");
        assertThatThrownBy(() -> meant(survey(new Moment.AtSequence(100), 1000)))
                .hasMessage("--at 100: the journal ends with sequence 99");
        assertThatThrownBy(() -> meant(survey(new Moment.End())))
                .hasMessage("the journal holds no facts yet");
    }
}
