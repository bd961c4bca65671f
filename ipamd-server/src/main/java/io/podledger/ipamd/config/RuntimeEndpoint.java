package io.podledger.ipamd.config;

import io.podledger.ipamd.cri.RuntimeSockets;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/// Which container runtime is asked for its sandboxes.
public sealed interface RuntimeEndpoint {
    /// Whichever of the usual sockets is there.
    record Auto() implements RuntimeEndpoint {
        @Override
        public String toString() {
            return "auto";
        }
    }

    record None() implements RuntimeEndpoint {
        @Override
        public String toString() {
            return "none";
        }
    }

    record Socket(Path path) implements RuntimeEndpoint {
        @Override
        public String toString() {
            return path.toString();
        }
    }

    /// The socket, where there is one to ask.
    default Optional<Path> socket() {
        return switch (this) {
            case Auto _ -> RuntimeSockets.found();
            case None _ -> Optional.empty();
            case Socket(Path path) -> Optional.of(path);
        };
    }

    /// Understands `auto`, `none`, `/path` and `unix:///path`.
    final class Converter implements ITypeConverter<RuntimeEndpoint> {
        private static final String SCHEME = "unix://";

        @Override
        public RuntimeEndpoint convert(String text) {
            String path = text.startsWith(SCHEME) ? text.substring(SCHEME.length()) : text;
            return switch (path) {
                case "auto" -> new Auto();
                case "none" -> new None();
                default -> {
                    if (!path.startsWith("/") || path.length() > PATH_BYTES_MAX) {
                        throw new TypeConversionException(
                                "'%s' is neither auto, none, nor an absolute path of at most %d bytes"
                                        .formatted(text, PATH_BYTES_MAX));
                    }
                    yield new Socket(Path.of(path));
                }
            };
        }
    }

    /// sun_path of unix(7), without its NUL.
    int PATH_BYTES_MAX = 107;
}
