package io.podledger.ipamd.cni;

import com.google.protobuf.ByteString;
import io.podledger.projections.Attachment;
import io.podledger.projections.Pod;
import io.podledger.shim.CniRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Turns the variables and the configuration of a call into a [CniCall], checking every verb alike:
/// runtimes check ADD alone.
public final class CniCallReader {
    private static final int IF_NAME_BYTES_MAX = 15;

    /// Names that mean other things in the kernel's file systems.
    private static final Set<String> NO_INTERFACES = Set.of(".", "..", "all", "default");

    private static final int NETNS_PATH_BYTES_MAX = 4_095;

    /// Namespace and pod names are DNS names: at most 253 characters.
    private static final int K8S_NAME_MAX = 253;

    private CniCallReader() {}

    static CniCall read(CniRequest request) throws CniException {
        String command = utf8("CNI_COMMAND", request.getCommand());
        return switch (command) {
            case "ADD" -> add(request);
            case "DEL" -> del(request);
            case "CHECK" -> check(request);
            case "STATUS" -> new CniCall.Status();
            case "VERSION" -> new CniCall.Version();
            default ->
                    throw new CniException(
                            CniError.environment(
                                    "CNI_COMMAND is '"
                                            + CniError.printable(command)
                                            + "' and must be ADD, DEL, CHECK, STATUS or VERSION"));
        };
    }

    /// Whom a DEL is for comes from its key alone: a pod that cannot be read is left out.
    private static CniCall del(CniRequest request) throws CniException {
        CniConfig config = CniConfigReader.readName(request.getConfig());
        Attachment attachment = attachment(request, config);
        Optional<Pod> pod;
        try {
            pod = pod(arguments(request));
        } catch (CniException _) {
            pod = Optional.empty();
        }
        return new CniCall.Del(attachment, pod, config);
    }

    private static CniCall add(CniRequest request) throws CniException {
        CniConfig config = CniConfigReader.read(request.getConfig());
        Attachment attachment = attachment(request, config);
        String netns = utf8("CNI_NETNS", request.getNetns());
        if (request.getNetns().size() > NETNS_PATH_BYTES_MAX) {
            throw new CniException(
                    CniError.environment(
                            "CNI_NETNS is longer than " + NETNS_PATH_BYTES_MAX + " bytes"));
        }
        if (!config.delegate()) {
            requireNamespace(request, netns);
        }
        Map<String, String> arguments = arguments(request);
        return new CniCall.Add(
                attachment,
                pod(arguments),
                !arguments.getOrDefault("K8S_POD_INFRA_CONTAINER_ID", "").isEmpty(),
                netns,
                config);
    }

    private static void requireNamespace(CniRequest request, String netns) throws CniException {
        if (netns.isEmpty()) {
            throw new CniException(CniError.environment("CNI_NETNS is missing"));
        }
        if (!request.getHasNetns()) {
            throw new CniException(
                    new CniError(
                            CniError.NAMESPACE,
                            "CNI_NETNS '"
                                    + CniError.printable(netns)
                                    + "' cannot be opened: errno "
                                    + request.getNetnsErrno(),
                            "it must be the path of a network namespace that the plugin may open"));
        }
    }

    private static CniCall check(CniRequest request) throws CniException {
        CniConfig config = CniConfigReader.read(request.getConfig());
        if (!config.version().atLeast(CniVersion.V0_4_0)) {
            throw new CniException(
                    new CniError(
                            CniError.VERSION,
                            "CHECK needs cniVersion 0.4.0 or later, and the configuration has "
                                    + config.version().text(),
                            ""));
        }
        return new CniCall.Check(attachment(request, config), config);
    }

    private static Attachment attachment(CniRequest request, CniConfig config) throws CniException {
        String containerId = utf8("CNI_CONTAINERID", request.getContainerId());
        String ifName = utf8("CNI_IFNAME", request.getIfName());
        List<String> wrong = new ArrayList<>();
        if (containerId.length() > CniConfigReader.NAME_LENGTH_MAX
                || !CniConfigReader.NAME.matcher(containerId).matches()) {
            wrong.add(
                    "CNI_CONTAINERID must match "
                            + CniConfigReader.NAME
                            + " and have at most "
                            + CniConfigReader.NAME_LENGTH_MAX
                            + " characters");
        }
        if (!isInterfaceName(ifName)) {
            wrong.add(
                    "CNI_IFNAME must have 1 to "
                            + IF_NAME_BYTES_MAX
                            + " bytes, no '/', ':', '%' or white space, and not be '.', '..', 'all' or"
                            + " 'default'");
        }
        if (!wrong.isEmpty()) {
            throw new CniException(CniError.environment(String.join("; ", wrong)));
        }
        return new Attachment(config.name(), containerId, ifName);
    }

    /// The kernel makes another name of one with a '%': the number that is free takes its place.
    private static boolean isInterfaceName(String name) {
        return !name.isEmpty()
                && name.getBytes(StandardCharsets.UTF_8).length <= IF_NAME_BYTES_MAX
                && !NO_INTERFACES.contains(name)
                && name.chars()
                        .noneMatch(
                                c ->
                                        c == '/'
                                                || c == ':'
                                                || c == '%'
                                                || Character.isWhitespace(c)
                                                || Character.isISOControl(c));
    }

    private static Map<String, String> arguments(CniRequest request) throws CniException {
        Map<String, String> arguments = new HashMap<>();
        for (String pair : utf8("CNI_ARGS", request.getArgs()).split(";", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                arguments.put(pair.substring(0, equals), pair.substring(equals + 1));
            }
        }
        return arguments;
    }

    private static Optional<Pod> pod(Map<String, String> arguments) throws CniException {
        String namespace = arguments.getOrDefault("K8S_POD_NAMESPACE", "");
        String name = arguments.getOrDefault("K8S_POD_NAME", "");
        String uid = arguments.getOrDefault("K8S_POD_UID", "");
        if (namespace.isEmpty() || name.isEmpty()) {
            return Optional.empty();
        }
        for (String value : List.of(namespace, name, uid)) {
            if (value.length() > K8S_NAME_MAX || value.chars().anyMatch(Character::isISOControl)) {
                throw new CniException(
                        CniError.environment(
                                "CNI_ARGS: K8S_POD_NAMESPACE, K8S_POD_NAME and K8S_POD_UID have at"
                                        + " most "
                                        + K8S_NAME_MAX
                                        + " characters each, and no control characters"));
            }
        }
        return Optional.of(new Pod(namespace, name, uid));
    }

    private static String utf8(String variable, ByteString bytes) throws CniException {
        if (!bytes.isValidUtf8()) {
            throw new CniException(CniError.environment(variable + " is not valid UTF-8"));
        }
        String text = bytes.toStringUtf8();
        if (text.indexOf('\0') >= 0) {
            throw new CniException(CniError.environment(variable + " holds a NUL"));
        }
        return text;
    }
}
