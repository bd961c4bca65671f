package io.podledger.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The result: a line for each figure, as a table in Markdown.
final class Table {
    /// How a figure relates to what is wanted of it.
    enum Bound {
        AT_MOST("≤"),
        AT_LEAST("≥");

        private final String sign;

        Bound(String sign) {
            this.sign = sign;
        }

        boolean holds(double figure, double bound) {
            return this == AT_MOST ? figure <= bound : figure >= bound;
        }
    }

    private final List<List<String>> rows = new ArrayList<>();

    Table() {
        rows.add(List.of("what", "measured", "beside it", "figure", "wanted", ""));
    }

    /// A figure that has a bound.
    void bounded(String what, String measured, String beside, double figure, Bound is, double at) {
        row(
                what,
                measured,
                beside,
                number(figure),
                is.sign + " " + number(at),
                is.holds(figure, at) ? "yes" : "**no**");
    }

    /// A figure to know.
    void shown(String what, String measured, String beside, String figure) {
        row(what, measured, beside, figure, "", "");
    }

    private void row(String... cells) {
        rows.add(List.of(cells));
        System.err.println("  " + String.join(" | ", cells));
    }

    static String micros(double nanos) {
        return number(nanos / 1_000) + " µs";
    }

    static String number(double value) {
        return String.format(
                Locale.ROOT, value >= 100 ? "%,.0f" : value >= 10 ? "%.1f" : "%.2f", value);
    }

    String markdown() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < rows.size(); i++) {
            text.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
            text.append(i == 0 ? "|---|---|---|---|---|---|\n" : "");
        }
        return text.toString();
    }
}
