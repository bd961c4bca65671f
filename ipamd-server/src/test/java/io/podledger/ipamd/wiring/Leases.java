package io.podledger.ipamd.wiring;

import io.podledger.projections.Attachment;
import io.podledger.projections.Holding;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Lease;
import io.podledger.projections.Mode;
import io.podledger.projections.NamespaceIdentity;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Leases for tests.
final class Leases {
    static final int MTU = 9001;

    private Leases() {}

    static Lease of(Attachment attachment, List<Holding> holdings) {
        return new Lease(
                attachment,
                Optional.empty(),
                Mode.ROUTED,
                holdings,
                NamespaceIdentity.NONE,
                Naming.hostDevice(attachment),
                MTU);
    }

    static Lease of(String containerId, String... addresses) {
        return of(
                new Attachment("net", containerId, "eth0"),
                Arrays.stream(addresses).map(address -> holding(address, 0)).toList());
    }

    static Holding holding(String address, int table) {
        return new Holding(IpAddress.parse(address), "", table);
    }
}
