package io.podledger.ipamd.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Which machine this is, and which of its boots.
///
/// @param machineId /etc/machine-id, empty where there is none
/// @param bootId a new one at each boot of the kernel
public record Host(String machineId, String bootId) {
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    public static Host read(Path machineIdFile) {
        try {
            String machineId =
                    Files.isReadable(machineIdFile) ? Files.readString(machineIdFile).strip() : "";
            return new Host(machineId, Files.readString(BOOT_ID).strip());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read which boot this is", e);
        }
    }
}
