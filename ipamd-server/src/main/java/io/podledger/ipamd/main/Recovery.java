package io.podledger.ipamd.main;

import io.podledger.ipamd.wiring.Wiring;
import io.podledger.ipamd.wiring.WiringException;
import io.podledger.ipamd.writer.Writer;
import io.podledger.projections.Command;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Compares the recovered ledger with the kernel.
final class Recovery {
    /// An ADD that no plugin waits for any more: they wait 60 s, and ask again within that time
    /// when the daemon comes back.
    static final Duration GRACE = Duration.ofSeconds(90);

    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final Writer writer;
    private final Wiring wiring;
    private final long ordersBefore;

    /// @param ordersBefore orders up to this number were given by earlier processes
    Recovery(Writer writer, Wiring wiring, long ordersBefore) {
        this.writer = writer;
        this.wiring = wiring;
        this.ordersBefore = ordersBefore;
    }

    /// Devices that bear a mark and that the ledger does not explain become suspects: history was
    /// lost, and what they may be in use for is not known.
    ///
    /// @throws StartException where the devices cannot be seen: an address that one of them has
    ///   could be given away
    void compare() throws StartException {
        try {
            writer.submitOwn(new Command.Compare(wiring.marked()), _ -> {});
        } catch (WiringException e) {
            throw new StartException("the host's devices cannot be listed: " + e.getMessage());
        }
    }

    /// Reservations that the recovered ledger had and that nobody asked for again: with no device
    /// in the kernel nothing was ever given, and they are undone. With one they stay.
    void abandonUnanswered() {
        try {
            Set<String> devices =
                    wiring.marked().stream()
                            .map(Command.Marked::hostDevice)
                            .collect(Collectors.toUnmodifiableSet());
            writer.abandon(ordersBefore, devices);
        } catch (WiringException e) {
            LOG.error("the kernel's devices cannot be listed: {}", e.getMessage());
        }
    }
}
