package io.podledger.ipamd.main;

import io.podledger.ipamd.config.UpOptions;
import io.podledger.ipamd.host.Host;
import io.podledger.projections.Ledger;

/// Whether this journal is this node's.
final class Identity {
    private Identity() {}

    /// A disk that was cloned from another node holds that node's addresses: giving them out here
    /// would give each of them twice.
    static void check(Ledger ledger, Host host, UpOptions options) throws StartException {
        String recorded = ledger.boot().start().machineId();
        if (recorded.isEmpty() || recorded.equals(host.machineId())) {
            return;
        }
        String here =
                host.machineId().isEmpty()
                        ? options.machineIdFile + " (--machine-id-file) names none here: mount it"
                        : "this one is " + host.machineId();
        throw new StartException(
                "the journal in "
                        + options.stateDir
                        + " belongs to the node with machine-id "
                        + recorded
                        + ", and "
                        + here
                        + ", or give this node an empty --state-dir of its own");
    }
}
