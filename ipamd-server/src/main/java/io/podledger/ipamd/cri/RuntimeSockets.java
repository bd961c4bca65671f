package io.podledger.ipamd.cri;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Where runtimes listen when nobody says otherwise.
public final class RuntimeSockets {
    /// containerd's, CRI-O's and cri-dockerd's own defaults.
    static final List<Path> USUAL =
            List.of(
                    Path.of("/run/containerd/containerd.sock"),
                    Path.of("/run/crio/crio.sock"),
                    Path.of("/run/cri-dockerd.sock"));

    private RuntimeSockets() {}

    /// The first of the usual sockets that is there.
    public static Optional<Path> found() {
        return USUAL.stream().filter(Files::exists).findFirst();
    }
}
