package io.podledger.replay;

import io.podledger.projections.Attachment;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Ledger;

/// How an address stands, without regard to time: whether one that nobody has is cooling or free is
/// a matter of when one asks.
sealed interface Standing {
    record Held(Attachment attachment) implements Standing {}

    /// Withheld because of a device that the ledger does not explain.
    record Suspected(String hostDevice) implements Standing {}

    record Unheld() implements Standing {}

    record Outside() implements Standing {}

    static Standing of(IpAddress address, Ledger ledger) {
        return ledger.owner(address)
                .<Standing>map(Held::new)
                .orElseGet(() -> ledger.unheld(address) ? new Unheld() : odd(address, ledger));
    }

    private static Standing odd(IpAddress address, Ledger ledger) {
        return ledger.suspects().stream()
                .filter(s -> s.addresses().contains(address))
                .findFirst()
                .<Standing>map(s -> new Suspected(s.hostDevice()))
                .orElseGet(Outside::new);
    }
}
