package io.podledger.shim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// What a DEL leaves behind that no daemon took.
@ParameterizedClass
@EnumSource(Build.class)
class SpoolTest {
    private final Build build;
    @TempDir Path folder;

    SpoolTest(Build build) {
        this.build = build;
    }

    private Plugin del() {
        return Plugin.in(folder, build, "DEL");
    }

    @Test
    void aFileHoldsTheCallAndWhenItWasWritten() throws IOException {
        Plugin plugin = del().with("CNI_NETNS", "").stdin("{\"a\":\"\u0000\"}".getBytes(UTF_8));
        long before = System.currentTimeMillis();
        plugin.run().silent();
        long after = System.currentTimeMillis();

        Path file = plugin.spooled().getFirst();
        CniRequest read = Plugin.read(file);
        Spooled spooled = read.getSpooled();
        assertThat(read).isEqualTo(plugin.expected().setSpooled(spooled).build());
        assertThat(Files.readAllBytes(file)).isEqualTo(CniFrame.encode(read.toByteArray()));
        assertThat(spooled.getBootId())
                .isEqualTo(Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip());
        assertThat(spooled.getWallMs()).isBetween(before, after);
        assertThat(file.getFileName().toString())
                .matches(
                        "%020d-%d-\\d+-[0-9a-f]{8}\\.del"
                                .formatted(spooled.getBoottimeMs(), spooled.getWallMs()));
        assertThat(spooled.getBoottimeMs()).isBetween(uptimeMs() - 600_000, uptimeMs() + 1000);
    }

    @Test
    void onlyRootReadsIt() throws IOException {
        Plugin plugin = del().shell("umask 0; exec \"$0\"");
        plugin.run().silent();
        Path file = plugin.spooled().getFirst();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(folder.resolve("spool"))))
                .isEqualTo("rwx------");
    }

    @Test
    void theSameDELTwiceIsTwoFilesInTheirOrder() {
        Plugin plugin = del();
        plugin.with("CNI_CONTAINERID", "first").run().silent();
        Path first = plugin.spooled().getFirst();
        plugin.with("CNI_CONTAINERID", "second").run().silent();
        assertThat(plugin.spooled()).hasSize(2).startsWith(first);
    }

    /// A missing parent may be a disk that is not mounted yet: what is written below it would be
    /// hidden later.
    @Test
    void onlyTheFolderItselfIsMade() {
        Plugin plugin = del().with("PODLEDGER_SPOOL", folder + "/none/spool");
        plugin.run().failed(11, "cannot be kept in " + folder + "/none/spool: No such file or dir");
        assertThat(folder.resolve("none")).doesNotExist();
    }

    @Test
    void aFileInPlaceOfTheFolderIsAnErrorThatNamesIt() throws IOException {
        Files.createFile(folder.resolve("spool"));
        del().run().failed(11, "cannot be kept in " + folder + "/spool: Not a directory");
    }

    @Test
    @Tag("netns")
    void aReadOnlyDiskIsAnErrorAndNoSuccess() throws IOException {
        mounted("ro,size=1m").run().failed(11, "cannot be kept in " + folder + "/spool: Read-only");
    }

    @Test
    @Tag("netns")
    void aFullDiskIsAnErrorAndLeavesNothing() throws IOException {
        Plugin plugin = mounted("size=16k").stdin("x".repeat(100_000).getBytes(UTF_8));
        plugin.run().failed(11, "cannot be kept in " + folder + "/spool: No space left");
        assertThat(Files.readString(folder.resolve("left"))).isEmpty();
        assertThat(Files.readString(folder.resolve("code"))).isEqualTo("1\n");
    }

    @Test
    void aLimitOnTheSizeOfFilesIsAnErrorAndNoDeath() {
        Plugin plugin = del().shell("ulimit -f 0; exec \"$0\"");
        plugin.run().failed(11, "cannot be kept in " + folder + "/spool: File too large");
        assertThat(plugin.spooled()).isEmpty();
    }

    /// The plugin with a tmpfs as its spool, in a mount namespace of its own. What the folder holds
    /// afterwards is written to the file `left`.
    private Plugin mounted(String options) throws IOException {
        Files.createDirectory(folder.resolve("spool"));
        return del().under(
                        "unshare",
                        "-m",
                        "sh",
                        "-c",
                        "mount -t tmpfs -o %s none %s/spool || exit; \"$0\"; code=$?; "
                                        .formatted(options, folder)
                                + "ls -A %s/spool >%s/left; echo $code >%s/code; exit $code"
                                        .formatted(folder, folder, folder));
    }

    /// The first of them make the folder, all at once.
    @Test
    void manyAtOnceEachGetAFileOfTheirOwn() {
        int calls = build == Build.STATIC ? 200 : 40;
        List<Process> started = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (int i = 0; i < calls; i++) {
            ids.add("container-" + i);
            started.add(del().with("CNI_CONTAINERID", "container-" + i).start());
        }
        started.forEach(process -> Plugin.feed(process.getOutputStream(), new byte[] {'{', '}'}));
        started.forEach(process -> Plugin.result(process).silent());
        List<Path> files = del().spooled();
        assertThat(files).hasSize(calls);
        assertThat(
                        files.stream()
                                .map(Plugin::read)
                                .map(read -> read.getContainerId().toStringUtf8()))
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    @Test
    void killedAnywhereItLeavesWholeFilesOrNone() throws InterruptedException {
        long seed = 20261;
        var random = new Random(seed);
        Plugin plugin = del().stdin(new byte[0]);
        for (int run = 0; run < 60; run++) {
            Process process = plugin.start();
            Plugin.feed(process.getOutputStream(), new byte[200_000]);
            LockSupport.parkNanos(random.nextLong(5_000_000));
            process.destroyForcibly();
            assertThat(process.waitFor(Plugin.SECONDS_MAX, TimeUnit.SECONDS)).isTrue();
            assertThat(plugin.spooled().stream().map(Plugin::read))
                    .as("seed %d, run %d", seed, run)
                    .allMatch(read -> read.getConfig().size() == 200_000);
        }
    }

    private static long uptimeMs() throws IOException {
        String uptime = Files.readString(Path.of("/proc/uptime"));
        return (long) (Double.parseDouble(uptime.substring(0, uptime.indexOf(' '))) * 1000);
    }
}
