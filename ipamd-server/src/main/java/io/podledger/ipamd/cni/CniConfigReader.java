package io.podledger.ipamd.cni;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.protobuf.ByteString;
import io.podledger.ipamd.cni.CniConfig.Subnet;
import io.podledger.projections.IpAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads the plugin's configuration. Keys that we do not know are passed over, as the specification
/// asks; a key that we know with a value that cannot be is error 7 and names the key.
final class CniConfigReader {
    /// Of the specification, for networks and container IDs.
    static final Pattern NAME = Pattern.compile("[a-zA-Z0-9][a-zA-Z0-9_.\\-]*");

    /// As long as a file name may be, since runtimes make files of it.
    static final int NAME_LENGTH_MAX = 255;

    private static final int NESTING_MAX = 64;

    private static final JsonMapper JSON =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(NESTING_MAX)
                                                    .build())
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    .build())
                    .build();

    private CniConfigReader() {}

    /// The whole configuration.
    static CniConfig read(ByteString stdin) throws CniException {
        JsonNode root = parse(stdin);
        boolean delegate = delegate(root);
        JsonNode ipam = root.path("ipam");
        return new CniConfig(
                version(root),
                name(root),
                delegate,
                mtu(root),
                delegate ? subnets(ipam) : List.of(),
                delegate ? routes(ipam) : Optional.empty(),
                node(root, "prevResult"));
    }

    /// What a DEL needs: the network's name. It must succeed where a later key made its ADD fail.
    static CniConfig readName(ByteString stdin) throws CniException {
        JsonNode root = parse(stdin);
        return new CniConfig(
                version(root), name(root), false, 0, List.of(), Optional.empty(), Optional.empty());
    }

    /// The version to answer an error in: that of the configuration, where one can be read.
    static CniVersion versionOf(ByteString stdin) {
        try {
            return version(parse(stdin));
        } catch (CniException _) {
            return CniVersion.V1_0_0;
        }
    }

    /// Another plugin's `ipam` section names us by its `type`.
    private static boolean delegate(JsonNode root) throws CniException {
        JsonNode type = root.path("ipam").path("type");
        if (type.isTextual() && type.equals(root.path("type"))) {
            throw new CniException(
                    CniError.configuration(
                            "ipam.type",
                            "names the plugin itself, which needs no 'ipam' section: leave it out"));
        }
        return type.isTextual();
    }

    private static String name(JsonNode root) throws CniException {
        String name = text(root, "name");
        if (name.length() > NAME_LENGTH_MAX || !NAME.matcher(name).matches()) {
            throw new CniException(
                    CniError.configuration(
                            "name",
                            "must match "
                                    + NAME
                                    + " and have at most "
                                    + NAME_LENGTH_MAX
                                    + " characters"));
        }
        return name;
    }

    private static JsonNode parse(ByteString stdin) throws CniException {
        try {
            JsonNode root = JSON.readTree(stdin.newInput());
            if (root != null && root.isObject()) {
                return root;
            }
        } catch (JacksonException e) {
            throw undecodable(e.getOriginalMessage());
        } catch (IOException e) {
            throw undecodable("it ends too early");
        }
        throw undecodable("it is not a JSON object");
    }

    private static CniException undecodable(String why) {
        String line = why.lines().findFirst().orElse("");
        return new CniException(
                new CniError(
                        CniError.DECODE,
                        "the configuration on stdin cannot be read: " + line,
                        "stdin holds the network configuration as one JSON object"));
    }

    private static CniVersion version(JsonNode root) throws CniException {
        String text = node(root, "cniVersion").map(JsonNode::asText).orElse("0.1.0");
        Optional<CniVersion> version = CniVersion.of(text);
        if (version.isEmpty()) {
            throw new CniException(
                    new CniError(
                            CniError.VERSION,
                            "cniVersion '" + CniError.printable(text) + "' is not served",
                            "served are " + CniVersion.list()));
        }
        return version.get();
    }

    private static int mtu(JsonNode root) throws CniException {
        Optional<JsonNode> mtu = node(root, "mtu");
        if (mtu.isEmpty()) {
            return 0;
        }
        // Networks that were configured for other plugins write the number as a string.
        String text = mtu.get().asText();
        if (!text.matches("\\d{1,5}")
                || (!text.equals("0")
                        && (Integer.parseInt(text) < 1280 || Integer.parseInt(text) > 9216))) {
            throw new CniException(
                    CniError.configuration("mtu", "must be 0, or from 1280 to 9216"));
        }
        return Integer.parseInt(text);
    }

    /// `ranges` as other ipam plugins have it, a list of lists, or a single `subnet` with its
    /// `gateway`.
    private static List<Subnet> subnets(JsonNode ipam) throws CniException {
        List<Subnet> subnets = new ArrayList<>();
        if (ipam.has("subnet")) {
            subnets.add(subnet(ipam));
        }
        for (JsonNode set : ipam.path("ranges")) {
            for (JsonNode range : set) {
                subnets.add(subnet(range));
            }
        }
        return List.copyOf(subnets);
    }

    private static Optional<JsonNode> routes(JsonNode ipam) throws CniException {
        Optional<JsonNode> routes = node(ipam, "routes");
        if (routes.isPresent() && !routes.get().isArray()) {
            throw new CniException(CniError.configuration("ipam.routes", "must be a list"));
        }
        return routes;
    }

    private static Subnet subnet(JsonNode range) throws CniException {
        String[] parts = range.path("subnet").asText().split("/", 2);
        try {
            IpAddress network = IpAddress.parse(parts[0]);
            int prefixLength = parts.length == 2 ? Integer.parseInt(parts[1]) : -1;
            if (prefixLength < 0 || prefixLength > network.bits()) {
                throw new IllegalArgumentException();
            }
            return new Subnet(
                    network,
                    prefixLength,
                    node(range, "gateway").map(gateway -> IpAddress.parse(gateway.asText())));
        } catch (IllegalArgumentException e) {
            throw new CniException(
                    CniError.configuration(
                            "ipam.subnet",
                            "must be an address block, and 'ipam.gateway' an address, for example"
                                    + " 10.88.0.0/24 and 10.88.0.1"));
        }
    }

    private static String text(JsonNode root, String key) throws CniException {
        JsonNode value = root.path(key);
        if (!value.isTextual() || value.asText().isEmpty()) {
            throw new CniException(CniError.configuration(key, "is missing or is not a string"));
        }
        return value.asText();
    }

    private static Optional<JsonNode> node(JsonNode parent, String key) {
        JsonNode value = parent.path(key);
        return value.isMissingNode() || value.isNull() ? Optional.empty() : Optional.of(value);
    }
}
