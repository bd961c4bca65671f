package io.podledger.ipamd.cni;

import com.fasterxml.jackson.databind.JsonNode;
import io.podledger.projections.IpAddress;
import java.util.List;
import java.util.Optional;

/// What a runtime gives on stdin, as far as it is used.
///
/// @param name the network
/// @param delegate another plugin calls us for its `ipam` section
/// @param mtu of this network's interfaces, 0 where the daemon's default holds
/// @param subnets of a delegate: what its addresses are presented in
/// @param routes of a delegate: handed back as they came
/// @param previous `prevResult`, of a CHECK or a chained ADD
record CniConfig(
        CniVersion version,
        String name,
        boolean delegate,
        int mtu,
        List<Subnet> subnets,
        Optional<JsonNode> routes,
        Optional<JsonNode> previous) {

    /// @param gateway handed to the calling plugin, where the section names one
    record Subnet(IpAddress network, int prefixLength, Optional<IpAddress> gateway) {
        boolean contains(IpAddress address) {
            return address.v6() == network.v6()
                    && address.network(prefixLength).equals(network.network(prefixLength));
        }
    }
}
