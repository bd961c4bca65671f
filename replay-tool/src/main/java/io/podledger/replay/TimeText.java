package io.podledger.replay;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Moments as people write them.
///
/// @param zone where a time without a zone was read off a clock
/// @param now what `5m ago` counts from
record TimeText(ZoneId zone, Instant now) {
    static final String EXAMPLES =
            "2026-08-01T10:00:00Z, 2026-08-01T12:00:00+02:00, '2026-08-01 12:00:00' (in --zone),"
                    + " '5m ago', '1h30m ago', now";

    private static final Instant LATEST = Instant.parse("9999-12-31T23:59:59Z");
    private static final Pattern AGO = Pattern.compile("((?:\\d{1,9}[smhd])+)\\s+ago");
    private static final Pattern STEP = Pattern.compile("(\\d+)([smhd])");
    private static final Pattern ZONED = Pattern.compile(".*T.*(Z|[+-]\\d\\d:\\d\\d)");
    private static final DateTimeFormatter SHOWN =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);

    /// @throws IllegalArgumentException with a message that says what is wrong with the text
    Instant parse(String given) {
        String text = given.strip();
        if (text.equals("now")) {
            return now;
        }
        Matcher ago = AGO.matcher(text);
        if (ago.matches()) {
            return bounded(given, now.minus(duration(ago.group(1))));
        }
        return bounded(
                given, absolute(given, text.toUpperCase(Locale.ROOT).replaceFirst(" ", "T")));
    }

    /// The moment in [#zone], as RFC 3339 with milliseconds.
    String show(long wallMillis) {
        return SHOWN.format(Instant.ofEpochMilli(wallMillis).atZone(zone));
    }

    /// The moment in UTC, as RFC 3339 with milliseconds.
    static String utc(long wallMillis) {
        return SHOWN.format(Instant.ofEpochMilli(wallMillis).atZone(ZoneOffset.UTC));
    }

    private Instant absolute(String given, String text) {
        try {
            return ZONED.matcher(text).matches()
                    ? OffsetDateTime.parse(text).toInstant()
                    : local(given, LocalDateTime.parse(text));
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("'" + given + "' is not a time", e);
        }
    }

    private Instant local(String given, LocalDateTime time) {
        List<ZoneOffset> offsets = zone.getRules().getValidOffsets(time);
        if (offsets.size() == 1) {
            return time.toInstant(offsets.getFirst());
        }
        throw new IllegalArgumentException(
                offsets.isEmpty()
                        ? "'" + given + "' was skipped by the clocks of " + zone
                        : "'" + given + "' came twice in " + zone + ": add one of " + offsets);
    }

    private static Duration duration(String steps) {
        Duration sum = Duration.ZERO;
        for (Matcher step = STEP.matcher(steps); step.find(); ) {
            sum = sum.plus(Long.parseLong(step.group(1)), unit(step.group(2)));
        }
        return sum;
    }

    private static ChronoUnit unit(String letter) {
        return switch (letter) {
            case "s" -> ChronoUnit.SECONDS;
            case "m" -> ChronoUnit.MINUTES;
            case "h" -> ChronoUnit.HOURS;
            default -> ChronoUnit.DAYS;
        };
    }

    private static Instant bounded(String given, Instant time) {
        if (time.isBefore(Instant.EPOCH) || time.isAfter(LATEST)) {
            throw new IllegalArgumentException("'" + given + "' is not between 1970 and 9999");
        }
        return time;
    }
}
