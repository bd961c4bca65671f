package io.podledger.projections;

import java.util.List;

/// A device that the ledger does not explain, and the addresses that are withheld because of it.
///
/// @param sinceMillis ledger time of the first suspicion
public record Suspect(String hostDevice, List<IpAddress> addresses, long sinceMillis, String why)
        implements Use {
    @Override
    public long hash() {
        long hash = StateHash.with(StateHash.SUSPECT, hostDevice);
        for (IpAddress address : addresses) {
            hash = StateHash.with(hash, address);
        }
        return StateHash.with(StateHash.with(hash, sinceMillis), why);
    }
}
