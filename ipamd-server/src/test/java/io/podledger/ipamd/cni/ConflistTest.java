package io.podledger.ipamd.cni;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConflistTest {
    @TempDir Path folder;

    @Test
    void itIsWrittenWholeIntoAFolderThatIsMade() throws Exception {
        Path file = Conflist.write(folder.resolve("net.d"), false);

        assertThat(file).hasFileName("10-podledger.conflist");
        assertThat(Files.readString(file).replaceAll("\\s", ""))
                .isEqualTo(
                        "{\"cniVersion\":\"1.0.0\",\"name\":\"podledger\","
                                + "\"plugins\":[{\"type\":\"podledger\"}]}");
        assertThat(file.getParent()).isDirectoryNotContaining("glob:**.new");
    }

    @Test
    void portmapIsChainedWithItsCapability() throws Exception {
        assertThat(Files.readString(Conflist.write(folder, true)).replaceAll("\\s", ""))
                .endsWith(
                        ",{\"type\":\"portmap\",\"snat\":true,"
                                + "\"capabilities\":{\"portMappings\":true}}]}");
    }

    @Test
    void aFileThatSaysTheSameIsNotTouchedAndAnotherIsReplacedByARename() throws Exception {
        Path file = Conflist.write(folder, false);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
        Object inode = Files.getAttribute(file, "unix:ino");

        Conflist.write(folder, false);
        assertThat(Files.getLastModifiedTime(file).toMillis()).isEqualTo(1_000);

        Conflist.write(folder, true);
        assertThat(Files.getAttribute(file, "unix:ino")).isNotEqualTo(inode);
    }

    @Test
    void aHalfWrittenPredecessorIsInNobodysWay() throws Exception {
        Files.writeString(folder.resolve(".10-podledger.conflist.new"), "x".repeat(9_999));

        assertThat(Files.readString(Conflist.write(folder, false))).endsWith("}");
    }
}
