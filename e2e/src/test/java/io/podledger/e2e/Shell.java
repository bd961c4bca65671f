package io.podledger.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/// Runs commands, each within a bound.
final class Shell {
    private static final long SECONDS_MAX = 90;

    private Shell() {}

    record Result(int exit, String out, String err) {
        Result ok() {
            if (exit != 0) {
                throw new AssertionError("exit " + exit + ": " + out + err);
            }
            return this;
        }
    }

    /// A command under way.
    record Running(
            List<String> command,
            Process process,
            CompletableFuture<String> out,
            CompletableFuture<String> err) {
        /// Waits for the end.
        Result result() {
            try {
                if (!process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                    throw new AssertionError(command + " ran for more than " + SECONDS_MAX + " s");
                }
                return new Result(process.exitValue(), out.get(), err.get());
            } catch (InterruptedException | ExecutionException e) {
                throw new AssertionError(e);
            }
        }

        /// kill -9, and what it has said stays readable.
        void kill() {
            process.toHandle().destroyForcibly();
        }
    }

    static Result run(String... command) {
        return run(Map.of(), new byte[0], List.of(command));
    }

    /// @param environment the whole of it: nothing else is inherited
    static Result run(Map<String, String> environment, byte[] stdin, List<String> command) {
        return start(environment, stdin, command).result();
    }

    static Running start(Map<String, String> environment, byte[] stdin, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command);
        if (!environment.isEmpty()) {
            builder.environment().clear();
            builder.environment().putAll(environment);
        }
        try {
            Process process = builder.start();
            var out =
                    CompletableFuture.supplyAsync(
                            () -> read(process.getInputStream()), Shell::thread);
            var err =
                    CompletableFuture.supplyAsync(
                            () -> read(process.getErrorStream()), Shell::thread);
            try (var in = process.getOutputStream()) {
                in.write(stdin);
            } catch (IOException e) {
                // A command that does not read what it is given is judged by its exit status.
            }
            return new Running(command, process, out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void thread(Runnable work) {
        Thread.ofVirtual().start(work);
    }

    private static String read(InputStream stream) {
        try (stream) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
