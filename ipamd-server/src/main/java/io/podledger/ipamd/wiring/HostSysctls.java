package io.podledger.ipamd.wiring;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The node's settings without which routed pods do not work: set where they can be, named where
/// not.
///
/// @param root folder with the host's `net/`: `/proc/sys`, or where it is mounted in a container
public record HostSysctls(Path root) {
    /// rp_filter: a packet must come in where its sender would be answered. With a table for each
    /// uplink that is not so.
    private static final int STRICT = 1;

    private static final String LOOSE = "2";

    private static final String ADVERTISEMENTS = "/accept_ra";

    /// accept_ra: also on a machine that forwards.
    private static final String ALWAYS = "2";

    /// @param uplinks interfaces with a table of their own
    /// @param advertised see [UplinkTables#advertised]
    /// @return what could not be set, each with its remedy; empty where all is well
    public List<String> ensure(
            boolean v4, boolean v6, List<String> uplinks, List<String> advertised) {
        List<String> problems = new ArrayList<>();
        if (v4) {
            want(problems, "net/ipv4/ip_forward", "1");
            uplinks.forEach(uplink -> notStrict(problems, uplink));
        }
        if (v6) {
            advertised.forEach(device -> keepListening(problems, device));
            if (problems.stream().noneMatch(problem -> problem.contains(ADVERTISEMENTS))) {
                want(problems, "net/ipv6/conf/all/forwarding", "1");
            }
        }
        return problems;
    }

    /// The kernel uses the larger of the device's value and that of `all`.
    private void notStrict(List<String> problems, String device) {
        String own = "net/ipv4/conf/" + device + "/rp_filter";
        if (Math.max(number(own), number("net/ipv4/conf/all/rp_filter")) == STRICT) {
            want(problems, own, LOOSE);
        }
    }

    /// Before forwarding is switched on: that drops the default route of a device that listens only
    /// while it does not forward. A device that never listened stays so.
    private void keepListening(List<String> problems, String device) {
        String own = "net/ipv6/conf/" + device + ADVERTISEMENTS;
        if (number(own) == 1) {
            want(problems, own, ALWAYS);
        }
    }

    private void want(List<String> problems, String setting, String value) {
        if (read(setting).equals(value)) {
            return;
        }
        try {
            Files.writeString(root.resolve(setting), value);
        } catch (IOException e) {
            problems.add(
                    setting
                            + " must be "
                            + value
                            + " and cannot be set from here: run 'sysctl -w "
                            + setting
                            + "="
                            + value
                            + "' on the node");
        }
    }

    private int number(String setting) {
        String value = read(setting);
        return value.matches("[0-9]{1,4}") ? Integer.parseInt(value) : 0;
    }

    /// Empty where there is no such setting.
    private String read(String setting) {
        try {
            return Files.readString(root.resolve(setting)).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
