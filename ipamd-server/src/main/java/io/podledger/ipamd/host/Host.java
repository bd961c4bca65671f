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

    /// What machine-id(5) says before the first boot is through.
    private static final String UNINITIALIZED = "uninitialized";

    public static Host read(Path machineIdFile) {
        try {
            String text =
                    Files.isReadable(machineIdFile) ? Files.readString(machineIdFile).strip() : "";
            String machineId = text.equals(UNINITIALIZED) ? "" : text;
            return new Host(machineId, Files.readString(BOOT_ID).strip());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read which machine and boot this is: " + e, e);
        }
    }
}
