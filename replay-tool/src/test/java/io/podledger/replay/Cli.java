package io.podledger.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/// What the tool said and how it ended.
record Cli(int code, String out, String err) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    static Cli run(String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = Main.run(new PrintWriter(out), new PrintWriter(err), args);
        return new Cli(code, out.toString(), err.toString());
    }

    /// The output with each time of day as `TIME`.
    String timeless() {
        return out.replaceAll(
                "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}(Z|[+-]\\d\\d:\\d\\d)", "TIME");
    }

    List<JsonNode> json() {
        return out.lines().map(Cli::parse).toList();
    }

    private static JsonNode parse(String line) {
        try {
            return MAPPER.readTree(line);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + line, e);
        }
    }
}
