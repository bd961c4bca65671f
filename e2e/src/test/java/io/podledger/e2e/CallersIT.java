package io.podledger.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Who may call the daemon.
@Tag("netns")
@Tag("other-users")
class CallersIT {
    private final Node node = new Node();

    @BeforeEach
    void start() {
        node.up("--pool", "10.99.1.0/24");
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void theSocketIsRootsAlone() throws IOException {
        assertThat(Files.getPosixFilePermissions(socket()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    /// Even where the file's mode would let it through: the kernel says who calls.
    @Test
    void aCallerWhoIsNotRootIsRefused() throws IOException {
        Tools.need("setpriv", "util-linux");
        Pod web = node.pod("web", "c1");
        web.add();
        letEverybodyThrough();

        Shell.Result del = asNobody(web, "DEL");
        Shell.Result check = asNobody(web, "CHECK");

        assertThat(del.exit()).isEqualTo(1);
        assertThat(Pod.json(del.out()).path("code").asInt()).isEqualTo(11);
        assertThat(check.exit()).isEqualTo(1);
        assertThat(node.logged()).contains("uid 65534");
        web.call("CHECK").ok();
        assertThat(node.state("holder")).hasSize(1);
        assertThat(node.events("DelReceived")).isEmpty();
    }

    private void letEverybodyThrough() throws IOException {
        for (Path path : List.of(node.folder(), node.runDir(), socket())) {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
    }

    /// By a copy of the plugin, since the folder that it is built in may be closed to others.
    private Shell.Result asNobody(Pod pod, String verb) throws IOException {
        Path copy = node.folder().resolve("plugin");
        Files.copy(Node.shim(), copy, StandardCopyOption.REPLACE_EXISTING);
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> environment = new HashMap<>(pod.environment(verb, "eth0", Map.of()));
        return Shell.run(
                environment,
                Pod.config("podledger").getBytes(StandardCharsets.UTF_8),
                List.of(
                        "setpriv",
                        "--reuid",
                        "65534",
                        "--regid",
                        "65534",
                        "--clear-groups",
                        copy.toString()));
    }

    private Path socket() {
        return node.runDir().resolve("cni.sock");
    }
}
