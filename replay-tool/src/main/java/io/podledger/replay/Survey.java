package io.podledger.replay;

import io.podledger.journal.Damage;
import io.podledger.journal.JournalReader;
import io.podledger.journal.LogRecord;
import java.util.List;
import java.util.Optional;

/// A first walk along the journal that looks at places and times only: where it begins, and which
/// record a moment means.
///
/// The wall clock may jump, so one time can fit several places. The last record, in the order of
/// sequences, that is not later than the time is meant: a clock that was ahead for a while then
/// hides nothing of what came after. Where the clock went back over that time, the newer place is
/// taken and the older one named.
final class Survey implements JournalReader.Visitor {
    /// For people who ask about a time.
    static final String HELP =
            "Wall time is for people: a node's clock may jump. A time means the last record, in the"
                    + " order of sequences, whose wall time is not later. Where the clock went back"
                    + " over that time, the newer place is taken and a note names the older one: ask"
                    + " for it by its sequence.";

    private final Moment moment;
    private Optional<LogRecord> first = Optional.empty();
    private Optional<LogRecord> meant = Optional.empty();
    private Optional<LogRecord> next = Optional.empty();
    private Optional<LogRecord> passed = Optional.empty();
    private Optional<Damage> damage = Optional.empty();

    Survey(Moment moment) {
        this.moment = moment;
    }

    @Override
    public void snapshot(long sequence, List<byte[]> chunks) {}

    /// Remembered is what lies behind the moment: it hides what really happened last.
    @Override
    public void damage(Damage found) {
        if (next.isEmpty()) {
            damage = Optional.of(found);
        }
    }

    @Override
    public void record(LogRecord record, boolean confirmed) {
        if (fits(record)) {
            meant = Optional.of(record);
            next = Optional.empty();
            damage = Optional.empty();
        } else if (meant.isPresent()) {
            passed = passed.or(() -> meant);
            next = next.or(() -> Optional.of(record));
        }
        first = first.or(() -> Optional.of(record));
    }

    private boolean fits(LogRecord record) {
        return switch (moment) {
            case Moment.AtSequence(long sequence) -> record.sequence() <= sequence;
            case Moment.AtTime(var time) -> record.wallMillis() <= time.toEpochMilli();
            case Moment.End _ -> true;
        };
    }

    /// The older place that the moment also fits, if the wall clock went back over it.
    Optional<LogRecord> older() {
        return passed.filter(p -> meant.filter(m -> m.sequence() > p.sequence()).isPresent());
    }

    /// The last record that had happened at the moment.
    ///
    /// @param end the last sequence of the journal
    /// @throws ReplayException if the journal does not reach the moment
    LogRecord meant(long end, TimeText times) {
        LogRecord oldest =
                first.orElseThrow(() -> new ReplayException("the journal holds no facts yet"));
        if (moment instanceof Moment.AtSequence(long sequence)) {
            check(sequence, end);
        }
        return meant.orElseThrow(
                () ->
                        new ReplayException(
                                "--at: the journal begins with sequence "
                                        + oldest.sequence()
                                        + " at "
                                        + times.show(oldest.wallMillis())
                                        + ", and nothing older is kept"));
    }

    private void check(long sequence, long end) {
        if (sequence > end) {
            throw new ReplayException(
                    "--at " + sequence + ": the journal ends with sequence " + end);
        }
        damage.filter(d -> d.sequence() <= sequence)
                .ifPresent(
                        d -> {
                            throw new ReplayException(
                                    "--at " + sequence + ": records are missing before it: " + d);
                        });
    }

    /// Ledger time in ms at the moment. Between two records it is reckoned by the wall clock, and
    /// never beyond the second.
    long ledgerMillis(LogRecord at) {
        long reckoned =
                moment instanceof Moment.AtTime(var time)
                        ? at.ledgerMillis() + time.toEpochMilli() - at.wallMillis()
                        : at.ledgerMillis();
        return Math.min(reckoned, next.map(LogRecord::ledgerMillis).orElse(Long.MAX_VALUE));
    }
}
