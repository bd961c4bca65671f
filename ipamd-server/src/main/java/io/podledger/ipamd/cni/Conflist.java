package io.podledger.ipamd.cni;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/// The network configuration by which the runtime finds the plugin.
public final class Conflist {
    private static final String FILE = "10-podledger.conflist";

    private Conflist() {}

    /// Writes the file under another name and renames it: a runtime that watches the folder reacts
    /// to a rename alone, and never sees half a file. Nothing is written where it says the same
    /// already.
    ///
    /// @param portmap chain the portmap plugin, for hostPort
    public static Path write(Path folder, boolean portmap) throws IOException {
        Files.createDirectories(folder);
        Path file = folder.resolve(FILE);
        byte[] bytes = text(portmap);
        if (Files.exists(file) && Arrays.equals(Files.readAllBytes(file), bytes)) {
            return file;
        }
        Path temporary = folder.resolve("." + FILE + ".new");
        try (FileChannel channel =
                FileChannel.open(
                        temporary,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        return file;
    }

    /// cniVersion is 1.0.0: containerd 1.6 rejects a file with 1.1.0.
    private static byte[] text(boolean portmap) throws IOException {
        JsonMapper json = new JsonMapper();
        ObjectNode list =
                json.createObjectNode().put("cniVersion", "1.0.0").put("name", "podledger");
        ArrayNode plugins = list.putArray("plugins");
        plugins.addObject().put("type", "podledger");
        if (portmap) {
            plugins.addObject()
                    .put("type", "portmap")
                    .put("snat", true)
                    .putObject("capabilities")
                    .put("portMappings", true);
        }
        return json.writerWithDefaultPrettyPrinter().writeValueAsBytes(list);
    }
}
