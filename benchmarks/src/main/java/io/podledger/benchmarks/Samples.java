package io.podledger.benchmarks;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/// What a driver measured: values by name, in the order in which they came. Values of one turn have
/// the same place in each list.
final class Samples {
    private final Map<String, long[]> values;

    private Samples(Map<String, long[]> values) {
        this.values = values;
    }

    /// @param lines each a name, a space and a whole number
    static Samples parse(List<String> lines) {
        Map<String, LongStream.Builder> builders = new HashMap<>();
        for (String line : lines) {
            int space = line.indexOf(' ');
            builders.computeIfAbsent(line.substring(0, space), _ -> LongStream.builder())
                    .add(Long.parseLong(line.substring(space + 1)));
        }
        Map<String, long[]> values = new HashMap<>();
        builders.forEach((name, builder) -> values.put(name, builder.build().toArray()));
        return new Samples(values);
    }

    /// The value that the given share of the turns does not exceed, of the sum of some names.
    double quantile(double share, String... names) {
        return Stats.quantile(share, sums(names));
    }

    double mean(String name) {
        return Arrays.stream(sums(name)).average().orElseThrow();
    }

    long max(String name) {
        return Arrays.stream(sums(name)).max().orElseThrow();
    }

    /// Turn by turn.
    private long[] sums(String... names) {
        long[] sums = new long[of(names[0]).length];
        for (String name : names) {
            long[] more = of(name);
            Arrays.setAll(sums, i -> sums[i] + more[i]);
        }
        return sums;
    }

    private long[] of(String name) {
        long[] found = values.get(name);
        if (found == null) {
            throw new IllegalStateException("the driver gave no " + name);
        }
        return found;
    }
}
