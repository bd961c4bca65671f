package io.podledger.ipamd.cni;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.podledger.ipamd.cni.CniConfig.Subnet;
import io.podledger.ipamd.wiring.Naming;
import io.podledger.projections.Holding;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Lease;
import java.util.List;
import java.util.Optional;

/// Answers as a runtime reads them on the plugin's stdout.
final class CniResult {
    /// Next hop of every routed pod, as on the clusters that users come from: link-local, so that
    /// it never meets an address of theirs.
    static final IpAddress GATEWAY_V4 = IpAddress.parse("169.254.1.1");

    static final IpAddress GATEWAY_V6 = IpAddress.parse("fe80::1");

    private static final JsonMapper JSON = new JsonMapper();
    private static final int POD_INTERFACE = 1;

    private CniResult() {}

    /// The result of an ADD that was wired: host device and pod device, addresses, default routes.
    static ByteString routed(CniCall.Add call, Lease lease) {
        CniVersion version = call.config().version();
        ObjectNode result = JSON.createObjectNode().put("cniVersion", version.text());
        ArrayNode interfaces = result.putArray("interfaces");
        ObjectNode host =
                interfaces
                        .addObject()
                        .put("name", lease.hostDevice())
                        .put("mac", Naming.hostMac(lease.attachment()).toString());
        ObjectNode pod =
                interfaces
                        .addObject()
                        .put("name", lease.attachment().ifName())
                        .put("mac", Naming.podMac(lease.attachment()).toString())
                        .put("sandbox", call.netnsPath());
        if (version.atLeast(CniVersion.V1_1_0) && lease.mtu() > 0) {
            host.put("mtu", lease.mtu());
            pod.put("mtu", lease.mtu());
        }
        ArrayNode ips = result.putArray("ips");
        ArrayNode routes = result.putArray("routes");
        for (Holding holding : lease.holdings()) {
            IpAddress address = holding.address();
            IpAddress gateway = address.v6() ? GATEWAY_V6 : GATEWAY_V4;
            ip(ips, version, address, address.bits(), Optional.of(gateway))
                    .put("interface", POD_INTERFACE);
            routes.addObject()
                    .put("dst", address.v6() ? "::/0" : "0.0.0.0/0")
                    .put("gw", gateway.toString());
        }
        result.putObject("dns");
        return bytes(result);
    }

    /// The result for a plugin that asked for addresses: no interfaces, each address in the subnet
    /// that the `ipam` section names, or alone.
    ///
    /// @throws CniException if an address lies in none of the subnets that the section names
    static ByteString delegated(CniConfig config, Lease lease) throws CniException {
        ObjectNode result = JSON.createObjectNode().put("cniVersion", config.version().text());
        ArrayNode ips = result.putArray("ips");
        for (Holding holding : lease.holdings()) {
            IpAddress address = holding.address();
            Optional<Subnet> subnet = subnet(config.subnets(), address);
            ip(
                    ips,
                    config.version(),
                    address,
                    subnet.map(Subnet::prefixLength).orElse(address.bits()),
                    subnet.flatMap(Subnet::gateway));
        }
        config.routes().ifPresent(routes -> result.set("routes", routes));
        result.putObject("dns");
        return bytes(result);
    }

    private static Optional<Subnet> subnet(List<Subnet> subnets, IpAddress address)
            throws CniException {
        Optional<Subnet> subnet =
                subnets.stream().filter(candidate -> candidate.contains(address)).findFirst();
        if (subnet.isEmpty()
                && subnets.stream().anyMatch(other -> other.network().v6() == address.v6())) {
            throw new CniException(
                    CniError.configuration(
                            "ipam.subnet",
                            "holds no address of the daemon's pools: " + address + " was given"));
        }
        return subnet;
    }

    private static ObjectNode ip(
            ArrayNode ips,
            CniVersion version,
            IpAddress address,
            int prefixLength,
            Optional<IpAddress> gateway) {
        ObjectNode ip = ips.addObject();
        if (!version.atLeast(CniVersion.V1_0_0)) {
            ip.put("version", address.v6() ? "6" : "4");
        }
        ip.put("address", address + "/" + prefixLength);
        gateway.ifPresent(hop -> ip.put("gateway", hop.toString()));
        return ip;
    }

    /// What a CHECK's `prevResult` has otherwise than the lease, if anything: each of the lease's
    /// addresses must be among its `ips`. Later plugins of a chain may have added others.
    static Optional<String> differsFrom(CniConfig config, Lease lease) {
        Optional<JsonNode> ips = config.previous().map(previous -> previous.path("ips"));
        if (ips.isEmpty()) {
            return Optional.empty();
        }
        for (Holding holding : lease.holdings()) {
            String prefix = holding.address() + "/";
            boolean there = false;
            for (JsonNode ip : ips.get()) {
                there |= ip.path("address").asText().startsWith(prefix);
            }
            if (!there) {
                return Optional.of(
                        "the attachment holds "
                                + holding.address()
                                + ", which prevResult does not have");
            }
        }
        return Optional.empty();
    }

    static ByteString error(CniVersion version, CniError error) {
        ObjectNode node =
                JSON.createObjectNode()
                        .put("cniVersion", version.text())
                        .put("code", error.code())
                        .put("msg", error.message());
        if (!error.details().isEmpty()) {
            node.put("details", error.details());
        }
        return bytes(node);
    }

    static ByteString versions() {
        ObjectNode result = JSON.createObjectNode().put("cniVersion", CniVersion.V1_1_0.text());
        ArrayNode supported = result.putArray("supportedVersions");
        for (CniVersion version : CniVersion.values()) {
            supported.add(version.text());
        }
        return bytes(result);
    }

    private static ByteString bytes(JsonNode node) {
        try {
            return UnsafeByteOperations.unsafeWrap(JSON.writeValueAsBytes(node));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a result is plain JSON", e);
        }
    }
}
