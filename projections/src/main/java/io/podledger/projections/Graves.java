package io.podledger.projections;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The latest attachments that were released, found by themselves and by their host device.
final class Graves {
    private final Memory<Attachment, Tombstone> tombstones;
    private final Map<String, Attachment> devices = new HashMap<>();

    Graves(int max, StateHash hash) {
        tombstones = new Memory<>(max, hash);
    }

    void bury(Tombstone tombstone) {
        if (!tombstone.hostDevice().isEmpty()) {
            devices.put(tombstone.hostDevice(), tombstone.attachment());
        }
        tombstones.put(tombstone.attachment(), tombstone).ifPresent(this::forgetDevice);
    }

    void forget(Attachment attachment) {
        tombstones.remove(attachment).ifPresent(this::forgetDevice);
    }

    private void forgetDevice(Tombstone tombstone) {
        devices.remove(tombstone.hostDevice(), tombstone.attachment());
    }

    Optional<Tombstone> get(Attachment attachment) {
        return tombstones.get(attachment);
    }

    boolean hasDevice(String hostDevice) {
        return devices.containsKey(hostDevice);
    }

    /// The longest released first.
    Collection<Tombstone> values() {
        return tombstones.values();
    }
}
