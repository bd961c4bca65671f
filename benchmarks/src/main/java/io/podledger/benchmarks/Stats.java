package io.podledger.benchmarks;

import java.util.Arrays;
import java.util.List;

/// Order statistics.
final class Stats {
    private Stats() {}

    static double quantile(double share, long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[Math.min(sorted.length - 1, (int) (sorted.length * share))];
    }

    static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }
}
