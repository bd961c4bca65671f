package io.podledger.ipamd.config;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Durations as operators write them: `500ms`, `120s`, `5m`, `1h`.
public final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern SHAPE = Pattern.compile("(\\d{1,9})(ms|s|m|h)");

    @Override
    public Duration convert(String text) {
        Matcher shape = SHAPE.matcher(text);
        if (!shape.matches()) {
            throw new TypeConversionException(
                    "'"
                            + text
                            + "' is not a duration: write a number and ms, s, m or h, for example 120s");
        }
        long amount = Long.parseLong(shape.group(1));
        return switch (shape.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            default -> Duration.ofHours(amount);
        };
    }
}
