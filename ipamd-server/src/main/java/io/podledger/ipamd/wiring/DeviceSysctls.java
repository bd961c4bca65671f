package io.podledger.ipamd.wiring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// The one setting of a host device that netlink cannot reach.
///
/// @param root folder with the host's `net/`, usually `/proc/sys`
record DeviceSysctls(Path root) {

    /// A pod could otherwise send a router advertisement and become the node's default route.
    ///
    /// @return whether the device speaks IPv6 at all
    /// @throws WiringException if the node would listen to the pod's advertisements
    boolean refuseAdvertisements(String device) throws WiringException {
        Path setting = setting(device);
        try {
            Files.writeString(setting, "0", StandardOpenOption.WRITE);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            if (findings(device).isEmpty()) {
                return true;
            }
            throw new WiringException(
                    setting
                            + " cannot be set to 0: make it writable, or set it for all new"
                            + " devices with 'sysctl -w net.ipv6.conf.default.accept_ra=0'");
        }
    }

    List<String> findings(String device) {
        Path setting = setting(device);
        try {
            String value = Files.exists(setting) ? Files.readString(setting).strip() : "0";
            return value.equals("0")
                    ? List.of()
                    : List.of("host device " + device + " accepts router advertisements");
        } catch (IOException e) {
            return List.of(setting + " cannot be read");
        }
    }

    private Path setting(String device) {
        return root.resolve("net/ipv6/conf").resolve(device).resolve("accept_ra");
    }
}
