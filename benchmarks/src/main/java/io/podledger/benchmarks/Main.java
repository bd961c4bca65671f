package io.podledger.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Runs the benchmarks and prints their table. `benchmarks/run` starts it in namespaces of its own.
public final class Main {
    private static final Set<String> PARTS = Set.of("whole", "ipam", "replay");

    private Main() {}

    /// @param args the project's folder, a folder on the disk, a folder for sockets, then `--quick`
    ///   and names of parts; without names all are run
    public static void main(String[] args) throws Exception {
        List<String> words = new ArrayList<>(List.of(args));
        Path root = Path.of(words.removeFirst());
        Path disk = Path.of(words.removeFirst());
        Path run = Path.of(words.removeFirst());
        boolean quick = words.remove("--quick");
        Set<String> parts = words.isEmpty() ? PARTS : Set.copyOf(words);
        if (!PARTS.containsAll(parts)) {
            System.err.println("bench takes --quick and names of " + PARTS + ", not " + parts);
            System.exit(2);
        }
        Lab lab = new Lab(root, disk, run, quick);
        Table table = new Table();
        if (parts.contains("whole")) {
            new WholePath(lab, table).run();
        }
        if (parts.contains("ipam")) {
            new IpamPath(lab, table).run();
        }
        if (parts.contains("replay")) {
            new Replays(lab, table).run();
        }
        System.out.printf(
                "`./podledger %s`, %d cores, Linux %s, %s on %s, Java %s%s%n%n%s",
                ("bench " + String.join(" ", List.of(args).subList(3, args.length))).strip(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.version"),
                Files.getFileStore(disk).type(),
                Files.getFileStore(disk).name(),
                Runtime.version(),
                quick ? ": quick, not to be believed" : "",
                table.markdown());
    }
}
