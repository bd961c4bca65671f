package io.podledger.ipamd.config;

import io.podledger.projections.Mode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/// The daemon's settings. Each is a flag and an environment variable, `--state-dir` being
/// `PODLEDGER_STATE_DIR`; the flag wins.
public final class UpOptions {
    /// The pool of a daemon that was told of none: a block set aside for benchmarks (RFC 2544), so
    /// that it meets no real network.
    public static final String EMBEDDED_POOL = "198.18.0.0/24";

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--state-dir",
            defaultValue = "${env:PODLEDGER_STATE_DIR:-/var/lib/podledger}",
            paramLabel = "DIR",
            description = "Folder of the journal and the spool. Default: /var/lib/podledger.")
    public Path stateDir;

    @Option(
            names = "--run-dir",
            defaultValue = "${env:PODLEDGER_RUN_DIR:-/run/podledger}",
            paramLabel = "DIR",
            description = "Folder of the socket and the ready file. Default: /run/podledger.")
    public Path runDir;

    @Option(
            names = "--cni-conf-dir",
            defaultValue = "${env:PODLEDGER_CNI_CONF_DIR:-/etc/cni/net.d}",
            paramLabel = "DIR",
            description =
                    "Where 10-podledger.conflist is written once the daemon is ready (mode routed)."
                            + " Default: /etc/cni/net.d.")
    public Path cniConfDir;

    @Option(
            names = "--pool",
            split = ";",
            defaultValue = "${env:PODLEDGER_POOL:-" + EMBEDDED_POOL + "}",
            converter = PoolConverter.class,
            paramLabel = "CIDR[@IFACE[,table=N][,via=GW]]",
            description =
                    "A block of pod addresses, IPv4 or IPv6; repeatable (in the variable, separated by"
                            + " ';'). With @IFACE its pods leave by that interface: through the table named,"
                            + " or one kept for them. Default: "
                            + EMBEDDED_POOL
                            + ".")
    public List<PoolSpec> pools;

    @Option(
            names = "--cooldown",
            defaultValue = "${env:PODLEDGER_COOLDOWN:-120s}",
            converter = DurationConverter.class,
            paramLabel = "TIME",
            description =
                    "How long a released address rests before it is given again, 0s to 24h."
                            + " Default: 120s, the time conntrack keeps a SYN_SENT.")
    public Duration cooldown;

    @Option(
            names = "--mode",
            defaultValue = "${env:PODLEDGER_MODE:-routed}",
            converter = ModeConverter.class,
            paramLabel = "MODE",
            description =
                    "routed: the plugin is the network. ipam: only addresses, for another plugin's"
                            + " 'ipam' section; no conflist is written. Default: routed.")
    public Mode mode;

    @Option(
            names = "--mtu",
            defaultValue = "${env:PODLEDGER_MTU:-0}",
            paramLabel = "BYTES",
            description =
                    "MTU of the pods' interfaces, 1280 to 9216, or 0 for that of the interface that the"
                            + " node's default route leaves by. Default: 0.")
    public int mtu;

    @Option(
            names = "--runtime-endpoint",
            defaultValue = "${env:PODLEDGER_RUNTIME_ENDPOINT:-auto}",
            converter = RuntimeEndpoint.Converter.class,
            paramLabel = "auto|none|SOCKET",
            description =
                    "The container runtime's socket, as a path or unix:///path. auto: the first of"
                            + " containerd's, CRI-O's and cri-dockerd's usual ones. none: no runtime is"
                            + " asked. Default: auto.")
    public RuntimeEndpoint runtimeEndpoint;

    @Option(
            names = "--runtime-list-every",
            defaultValue = "${env:PODLEDGER_RUNTIME_LIST_EVERY:-30s}",
            converter = DurationConverter.class,
            paramLabel = "TIME",
            description =
                    "How often the runtime is asked for all its sandboxes, 1s to 10m. Between the lists"
                            + " its stream of events is followed, where it has one. Default: 30s.")
    public Duration runtimeListEvery;

    @Option(
            names = "--sweep-grace",
            defaultValue = "${env:PODLEDGER_SWEEP_GRACE:-60s}",
            converter = DurationConverter.class,
            paramLabel = "TIME",
            description =
                    "How long the runtime's lists lack a sandbox before its attachment is taken down"
                            + " without a DEL, 1s to 24h. Default: 60s.")
    public Duration sweepGrace;

    @Option(
            names = "--sweep-floor",
            defaultValue = "${env:PODLEDGER_SWEEP_FLOOR:-5m}",
            converter = DurationConverter.class,
            paramLabel = "TIME",
            description =
                    "How long after its last ADD an attachment is never taken down without a DEL, 0s to"
                            + " 24h: a sandbox that is still starting is not listed. Default: 5m.")
    public Duration sweepFloor;

    @Option(
            names = "--sysctl-dir",
            defaultValue = "${env:PODLEDGER_SYSCTL_DIR:-/proc/sys}",
            paramLabel = "DIR",
            description =
                    "Where the host's /proc/sys can be written; a container mounts it aside."
                            + " Default: /proc/sys.")
    public Path sysctlDir;

    @Option(
            names = "--machine-id-file",
            defaultValue = "${env:PODLEDGER_MACHINE_ID_FILE:-/etc/machine-id}",
            paramLabel = "FILE",
            description = "What tells this node from a copy of its disk. Default: /etc/machine-id.")
    public Path machineIdFile;

    @Option(
            names = "--portmap",
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "${env:PODLEDGER_PORTMAP:-false}",
            paramLabel = "true|false",
            description = "Chain the portmap plugin in the conflist, for hostPort. Default: no.")
    public boolean portmap;

    @Option(
            names = "--segment-size",
            defaultValue = "${env:PODLEDGER_SEGMENT_SIZE:-16}",
            paramLabel = "MIB",
            description =
                    "Size of a journal segment in MiB, a power of two from 1 to 1024. Default: 16.")
    public int segmentMib;

    /// What picocli cannot check by type.
    ///
    /// @throws ParameterException naming the option, its bound and the value
    public void check() {
        folder("--state-dir", stateDir);
        folder("--run-dir", runDir);
        folder("--cni-conf-dir", cniConfDir);
        folder("--sysctl-dir", sysctlDir);
        if (mtu != 0 && (mtu < 1280 || mtu > 9216)) {
            throw wrong("--mtu", "0, or from 1280 to 9216 bytes", mtu);
        }
        if (cooldown.compareTo(Duration.ofHours(24)) > 0) {
            throw wrong("--cooldown", "from 0s to 24h", cooldown.toSeconds() + "s");
        }
        if (runtimeListEvery.compareTo(Duration.ofSeconds(1)) < 0
                || runtimeListEvery.compareTo(Duration.ofMinutes(10)) > 0) {
            throw wrong(
                    "--runtime-list-every", "from 1s to 10m", runtimeListEvery.toMillis() + "ms");
        }
        if (sweepGrace.compareTo(Duration.ofSeconds(1)) < 0
                || sweepGrace.compareTo(Duration.ofHours(24)) > 0) {
            throw wrong("--sweep-grace", "from 1s to 24h", sweepGrace.toMillis() + "ms");
        }
        if (sweepFloor.compareTo(Duration.ofHours(24)) > 0) {
            throw wrong("--sweep-floor", "from 0s to 24h", sweepFloor.toSeconds() + "s");
        }
        if (segmentMib < 1 || segmentMib > 1024 || Integer.bitCount(segmentMib) != 1) {
            throw wrong("--segment-size", "a power of two from 1 to 1024 MiB", segmentMib);
        }
    }

    /// An empty variable would mean the folder that the daemon was started in.
    private void folder(String option, Path folder) {
        if (folder.toString().isEmpty()) {
            throw wrong(option, "a folder", "empty");
        }
    }

    /// The settings in one line, as they are in force.
    @Override
    public String toString() {
        return ("mode=%s pools=%s cooldown=%ss mtu=%s portmap=%s state-dir=%s run-dir=%s"
                        + " cni-conf-dir=%s runtime-endpoint=%s runtime-list-every=%ss"
                        + " sweep-grace=%ss sweep-floor=%ss"
                        + " sysctl-dir=%s machine-id-file=%s segment-size=%s")
                .formatted(
                        mode,
                        pools,
                        cooldown.toMillis() / 1e3,
                        mtu,
                        portmap,
                        stateDir,
                        runDir,
                        cniConfDir,
                        runtimeEndpoint,
                        runtimeListEvery.toMillis() / 1e3,
                        sweepGrace.toMillis() / 1e3,
                        sweepFloor.toMillis() / 1e3,
                        sysctlDir,
                        machineIdFile,
                        segmentMib);
    }

    /// Tells one configuration from another, in 16 hex digits.
    public String digest() {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    private ParameterException wrong(String option, String bound, Object value) {
        return new ParameterException(
                spec.commandLine(), option + " must be " + bound + ", and is " + value);
    }

    static final class PoolConverter implements ITypeConverter<PoolSpec> {
        @Override
        public PoolSpec convert(String text) {
            try {
                return PoolSpec.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    static final class ModeConverter implements ITypeConverter<Mode> {
        @Override
        public Mode convert(String text) {
            return switch (text) {
                case "routed" -> Mode.ROUTED;
                case "ipam" -> Mode.IPAM;
                default ->
                        throw new TypeConversionException(
                                "'" + text + "' is neither routed nor ipam");
            };
        }
    }
}
