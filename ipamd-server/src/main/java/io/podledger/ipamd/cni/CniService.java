package io.podledger.ipamd.cni;

import com.google.protobuf.ByteString;
import io.podledger.ipamd.wiring.HeldNamespace;
import io.podledger.ipamd.wiring.Naming;
import io.podledger.ipamd.wiring.Wiring;
import io.podledger.ipamd.wiring.WiringException;
import io.podledger.ipamd.writer.Answer;
import io.podledger.ipamd.writer.Writer;
import io.podledger.projections.Attachment;
import io.podledger.projections.Command;
import io.podledger.projections.Holder;
import io.podledger.projections.Lease;
import io.podledger.projections.LeaseState;
import io.podledger.projections.Mode;
import io.podledger.projections.NamespaceIdentity;
import io.podledger.projections.Pod;
import io.podledger.projections.Refusal;
import io.podledger.shim.CniRequest;
import io.podledger.shim.CniResponse;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// What each verb does. Answers on whatever thread the answer comes from.
public final class CniService {
    private static final Logger LOG = LoggerFactory.getLogger(CniService.class);

    /// What the daemon's own settings decide.
    ///
    /// @param mode whether direct calls are served, or only those of other plugins' `ipam` sections
    /// @param mtu for networks that name none
    public record Settings(Mode mode, int mtu) {}

    private final Settings settings;
    private final Writer writer;
    private final Wiring wiring;
    private final ExecutorService checks;
    private volatile boolean ready;

    /// @param checks platform threads on which CHECK looks into namespaces
    public CniService(Settings settings, Writer writer, Wiring wiring, ExecutorService checks) {
        this.settings = settings;
        this.writer = writer;
        this.wiring = wiring;
        this.checks = checks;
    }

    /// From here on STATUS succeeds, and goes on to: it must not make a node NotReady later.
    public void ready() {
        ready = true;
    }

    /// @param namespace the caller's network namespace; closed here or by whom it is handed to
    public void serve(
            CniRequest request, Optional<HeldNamespace> namespace, Consumer<CniResponse> reply) {
        long start = System.nanoTime();
        CniCall call;
        try {
            call = CniCallReader.read(request);
        } catch (CniException e) {
            namespace.ifPresent(HeldNamespace::close);
            LOG.warn("{} refused: {}", printable(request.getCommand()), e.getMessage());
            reply.accept(error(CniConfigReader.versionOf(request.getConfig()), e.error()));
            return;
        }
        try {
            serve(call, namespace, start, reply);
        } catch (RuntimeException e) {
            LOG.error("{} ended in an error of the daemon's own", call, e);
            namespace.ifPresent(HeldNamespace::close);
            reply.accept(internal(CniVersion.V1_0_0));
        }
    }

    private void serve(
            CniCall call,
            Optional<HeldNamespace> namespace,
            long start,
            Consumer<CniResponse> reply) {
        switch (call) {
            case CniCall.Add add ->
                    add(add, namespace, logged("ADD", add.attachment(), add.pod(), start, reply));
            case CniCall.Del del -> {
                namespace.ifPresent(HeldNamespace::close);
                del(del, logged("DEL", del.attachment(), del.pod(), start, reply));
            }
            case CniCall.Check check -> check(check, namespace, reply);
            case CniCall.Status _ -> {
                namespace.ifPresent(HeldNamespace::close);
                reply.accept(status());
            }
            case CniCall.Version _ -> {
                namespace.ifPresent(HeldNamespace::close);
                reply.accept(success(CniResult.versions()));
            }
        }
    }

    private void add(CniCall.Add call, Optional<HeldNamespace> namespace, Consumer<Said> reply) {
        CniConfig config = call.config();
        if (!config.delegate() && settings.mode() == Mode.IPAM) {
            namespace.ifPresent(HeldNamespace::close);
            reply.accept(
                    refused(
                            config,
                            CniError.configuration(
                                    "type",
                                    "names this plugin, and the daemon runs with --mode ipam: name it in"
                                            + " another plugin's 'ipam' section, or start it with --mode routed")));
            return;
        }
        Mode mode = config.delegate() ? Mode.IPAM : Mode.ROUTED;
        Command.Add command =
                new Command.Add(
                        call.attachment(),
                        call.pod(),
                        call.runtimeManaged(),
                        mode,
                        namespace.map(HeldNamespace::identity).orElse(NamespaceIdentity.NONE),
                        call.netnsPath(),
                        mode == Mode.ROUTED ? Naming.hostDevice(call.attachment()) : "",
                        mode == Mode.ROUTED ? mtu(config) : 0);
        writer.submit(command, namespace, answer -> reply.accept(added(call, answer)));
    }

    private int mtu(CniConfig config) {
        return config.mtu() != 0 ? config.mtu() : settings.mtu();
    }

    private static Said added(CniCall.Add call, Answer answer) {
        CniConfig config = call.config();
        return switch (answer) {
            case Answer.Granted(Lease lease) -> granted(call, lease);
            case Answer.Refused(Refusal reason, String message) ->
                    refused(config, new CniError(code(reason), message, ""));
            case Answer.Failed(String reason) -> refused(config, CniError.tryAgain(reason));
            case Answer.Unavailable(String why) -> refused(config, CniError.tryAgain(why));
            case Answer.Deleted _, Answer.Recheck _ ->
                    throw new IllegalStateException("an ADD was answered as something else");
        };
    }

    private static Said granted(CniCall.Add call, Lease lease) {
        String addresses =
                lease.holdings().stream()
                        .map(holding -> holding.address().toString())
                        .collect(Collectors.joining(","));
        try {
            ByteString result =
                    call.config().delegate()
                            ? CniResult.delegated(call.config(), lease)
                            : CniResult.routed(call, lease);
            return new Said(success(result), addresses, true);
        } catch (CniException e) {
            return refused(call.config(), e.error());
        }
    }

    private static int code(Refusal reason) {
        return switch (reason) {
            case POOL_EMPTY, RELEASING, LEDGER_FULL, SUSPECTED, NOT_REPAIRED, NOT_OWNER ->
                    CniError.TRY_AGAIN;
            case FENCED -> CniError.FENCED;
            case MODE_CHANGED, POOL_INVALID -> CniError.CONFIGURATION;
        };
    }

    private void del(CniCall.Del call, Consumer<Said> reply) {
        writer.submit(
                delCommand(call, Optional.empty()),
                Optional.empty(),
                answer -> reply.accept(deleted(call, answer)));
    }

    static Command.Del delCommand(CniCall.Del call, Optional<Command.SpoolTime> spooled) {
        return new Command.Del(
                call.attachment(), call.pod(), Naming.hostDevice(call.attachment()), spooled);
    }

    /// A DEL either has its intent on disk here, or goes to the plugin's spool: it never fails.
    private static Said deleted(CniCall.Del call, Answer answer) {
        return switch (answer) {
            case Answer.Deleted(var verdict) ->
                    new Said(
                            success(ByteString.EMPTY),
                            verdict.toString().toLowerCase(Locale.ROOT),
                            true);
            case Answer.Unavailable(String why) ->
                    new Said(
                            CniResponse.newBuilder().setSpool(true).build(),
                            "to the spool: " + why,
                            false);
            case Answer.Failed(String reason) -> new Said(success(ByteString.EMPTY), reason, true);
            case Answer.Refused(var _, String message) ->
                    refused(call.config(), CniError.tryAgain(message));
            case Answer.Granted _, Answer.Recheck _ ->
                    throw new IllegalStateException("a DEL was answered as something else");
        };
    }

    private void check(
            CniCall.Check call, Optional<HeldNamespace> namespace, Consumer<CniResponse> reply) {
        Consumer<Optional<Holder>> look =
                holder -> {
                    try {
                        checks.execute(() -> reply.accept(checked(call, holder, namespace)));
                    } catch (RejectedExecutionException _) {
                        stopped(call, namespace, reply);
                    }
                };
        if (!writer.read(ledger -> look.accept(ledger.holder(call.attachment())))) {
            stopped(call, namespace, reply);
        }
    }

    private static void stopped(
            CniCall.Check call, Optional<HeldNamespace> namespace, Consumer<CniResponse> reply) {
        namespace.ifPresent(HeldNamespace::close);
        reply.accept(error(call.config().version(), CniError.tryAgain("the daemon is stopping")));
    }

    private CniResponse checked(
            CniCall.Check call, Optional<Holder> holder, Optional<HeldNamespace> namespace) {
        CniVersion version = call.config().version();
        try {
            return fault(call, holder, namespace)
                    .map(fault -> error(version, fault))
                    .orElseGet(() -> success(ByteString.EMPTY));
        } catch (WiringException e) {
            return error(version, checkFailed(String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            LOG.error("a CHECK ended in an error of the daemon's own", e);
            return internal(version);
        } finally {
            namespace.ifPresent(HeldNamespace::close);
        }
    }

    private Optional<CniError> fault(
            CniCall.Check call, Optional<Holder> holder, Optional<HeldNamespace> namespace)
            throws WiringException {
        if (holder.isEmpty()) {
            return Optional.of(checkFailed("the attachment holds no address"));
        }
        if (holder.get().state() == LeaseState.RELEASING) {
            return Optional.of(checkFailed("the attachment is being taken down"));
        }
        Lease lease = holder.get().lease();
        Optional<String> difference = CniResult.differsFrom(call.config(), lease);
        if (difference.isPresent()) {
            return difference.map(CniService::checkFailed);
        }
        if (lease.mode() == Mode.ROUTED) {
            if (namespace.isEmpty()) {
                return Optional.of(
                        CniError.environment("CNI_NETNS is missing or cannot be opened"));
            }
            wiring.check(lease, namespace.get().descriptor());
        }
        return Optional.empty();
    }

    private static CniError checkFailed(String message) {
        return new CniError(CniError.CHECK_FAILED, message, "");
    }

    private CniResponse status() {
        return ready
                ? success(ByteString.EMPTY)
                : error(
                        CniVersion.V1_1_0,
                        new CniError(
                                CniError.CANNOT_ADD,
                                "the daemon is starting",
                                "it is ready in seconds"));
    }

    /// A response and its line in the log.
    private record Said(CniResponse response, String summary, boolean well) {}

    private static Consumer<Said> logged(
            String verb,
            Attachment attachment,
            Optional<Pod> pod,
            long startNanos,
            Consumer<CniResponse> reply) {
        return said -> {
            reply.accept(said.response());
            String who = pod.map(p -> p.namespace() + "/" + p.name()).orElse("-");
            String line = "{} pod={} container={} if={} {} in {} ms";
            Object[] arguments = {
                verb + (said.well() ? "" : " refused"),
                who,
                attachment.containerId(),
                attachment.ifName(),
                said.summary(),
                (System.nanoTime() - startNanos) / 1_000_000
            };
            if (said.well()) {
                LOG.info(line, arguments);
            } else {
                LOG.warn(line, arguments);
            }
        };
    }

    private static Said refused(CniConfig config, CniError error) {
        return new Said(error(config.version(), error), error.message(), false);
    }

    private static CniResponse success(ByteString stdout) {
        return CniResponse.newBuilder().setStdout(stdout).build();
    }

    static CniResponse error(CniVersion version, CniError error) {
        return CniResponse.newBuilder()
                .setExitCode(1)
                .setStdout(CniResult.error(version, error))
                .build();
    }

    private static CniResponse internal(CniVersion version) {
        return error(
                version,
                new CniError(
                        CniError.TRY_AGAIN,
                        "the daemon made a mistake of its own",
                        "its log has the details"));
    }

    private static String printable(ByteString command) {
        return command.size() <= 16 && command.isValidUtf8()
                ? CniError.printable(command.toStringUtf8())
                : "a call";
    }
}
