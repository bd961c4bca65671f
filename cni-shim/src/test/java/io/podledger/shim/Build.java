package io.podledger.shim;

import java.nio.file.Path;

/// The two builds of the plugin that the tests run: as it ships, and with the address and
/// undefined-behaviour sanitizers. `build.sh tests` makes both.
enum Build {
    STATIC("podledger"),
    SANITIZED("podledger-sanitized");

    private final String file;

    Build(String file) {
        this.file = file;
    }

    Path binary() {
        return target(file);
    }

    static Path target(String file) {
        return Path.of("target", file).toAbsolutePath();
    }
}
