package io.podledger.projections;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What must be true of each fact at the moment when it is decided.
final class SimulatedFacts {
    private final long cooldownMillis;
    private final Map<IpAddress, Long> freeSince = new HashMap<>();
    int stales;
    int suspicions;
    int sweeps;

    SimulatedFacts(long cooldownMillis) {
        this.cooldownMillis = cooldownMillis;
    }

    /// @param kernel which addresses are routed to which device
    void check(Event event, Ledger before, Map<String, List<IpAddress>> kernel, long now) {
        switch (event) {
            case Event.AddressReserved e ->
                    e.holdings().forEach(holding -> given(holding.address(), kernel, now));
            case Event.Released e ->
                    before.lease(e.attachment()).orElseThrow().holdings().stream()
                            .map(Holding::address)
                            .forEach(address -> freeSince.put(address, now + cooldownMillis));
            case Event.DelReceived e -> stales += e.verdict() == DelVerdict.STALE ? 1 : 0;
            case Event.AttachmentSuspected _ -> suspicions++;
            case Event.AttachmentSwept _ -> sweeps++;
            default -> {}
        }
    }

    /// An address that is given is routed to no device, and has rested.
    private void given(IpAddress address, Map<String, List<IpAddress>> kernel, long now) {
        kernel.forEach(
                (device, addresses) ->
                        assertThat(addresses).as("routed to %s", device).doesNotContain(address));
        assertThat(freeSince.getOrDefault(address, 0L)).isLessThanOrEqualTo(now);
    }

    void forget() {
        freeSince.clear();
    }
}
