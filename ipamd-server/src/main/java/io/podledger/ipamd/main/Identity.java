package io.podledger.ipamd.main;

import io.podledger.ipamd.host.Host;
import io.podledger.projections.Ledger;
import java.nio.file.Path;

/// Whether this journal is this node's.
final class Identity {
    private Identity() {}

    /// A disk that was cloned from another node holds that node's addresses: giving them out here
    /// would give each of them twice.
    static void check(Ledger ledger, Host host, Path stateDir) throws StartException {
        String recorded = ledger.boot().start().machineId();
        if (!recorded.isEmpty() && !recorded.equals(host.machineId())) {
            throw new StartException(
                    "the journal in "
                            + stateDir
                            + " belongs to the node with machine-id "
                            + recorded
                            + ", and this one is "
                            + host.machineId()
                            + ": give this node an empty --state-dir of its own");
        }
    }
}
