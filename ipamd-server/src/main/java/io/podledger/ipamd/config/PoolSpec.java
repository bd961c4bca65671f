package io.podledger.ipamd.config;

import io.podledger.projections.IpAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// One `--pool`: `CIDR[@INTERFACE[,table=N][,via=GATEWAY]]`.
///
/// @param uplink host interface by which the range's pods leave, or empty
/// @param table routing table of the uplink where the operator keeps one
/// @param gateway next hop on the uplink where it cannot be found out
public record PoolSpec(
        IpAddress first,
        int prefixLength,
        String uplink,
        OptionalInt table,
        Optional<IpAddress> gateway) {
    /// default, main and local of linux/rtnetlink.h.
    private static final Set<Integer> RESERVED_TABLES = Set.of(253, 254, 255);

    /// What no pod can have: this network, loopback, link-local, multicast, broadcast.
    private static final List<String> UNUSABLE =
            List.of(
                    "0.0.0.0/8",
                    "127.0.0.0/8",
                    "169.254.0.0/16",
                    "224.0.0.0/4",
                    "255.255.255.255/32",
                    "::/127",
                    "fe80::/10",
                    "ff00::/8");

    private static final Pattern SHAPE =
            Pattern.compile(
                    "([^/@,]+)/(\\d{1,3})(?:@([^,@/]{1,15})(?:,table=(\\d{1,9}))?(?:,via=([^,]+))?)?");

    /// @throws IllegalArgumentException with what is wrong and what is right
    public static PoolSpec parse(String text) {
        Matcher shape = SHAPE.matcher(text);
        if (!shape.matches()) {
            throw new IllegalArgumentException(
                    "'"
                            + text
                            + "' is not CIDR[@INTERFACE[,table=N][,via=GATEWAY]],"
                            + " for example 10.99.1.64/27@eth1");
        }
        IpAddress first = IpAddress.parse(shape.group(1));
        int prefixLength = prefixLength(text, first, Integer.parseInt(shape.group(2)));
        requireUsable(text, first, prefixLength);
        Optional<IpAddress> gateway = Optional.ofNullable(shape.group(5)).map(IpAddress::parse);
        if (gateway.isPresent() && gateway.get().v6() != first.v6()) {
            throw new IllegalArgumentException("'" + text + "': via is not of the range's family");
        }
        OptionalInt table =
                shape.group(4) == null
                        ? OptionalInt.empty()
                        : OptionalInt.of(Integer.parseInt(shape.group(4)));
        if (table.isPresent()
                && (table.getAsInt() == 0 || RESERVED_TABLES.contains(table.getAsInt()))) {
            throw new IllegalArgumentException(
                    "'"
                            + text
                            + "': table is from 1 to 999999999, and not "
                            + RESERVED_TABLES
                            + ", which are the kernel's own");
        }
        String uplink = Optional.ofNullable(shape.group(3)).orElse("");
        return new PoolSpec(first, prefixLength, uplink, table, gateway);
    }

    /// As it was given.
    @Override
    public String toString() {
        return first
                + "/"
                + prefixLength
                + (uplink.isEmpty() ? "" : "@" + uplink)
                + (table.isPresent() ? ",table=" + table.getAsInt() : "")
                + gateway.map(hop -> ",via=" + hop).orElse("");
    }

    private static void requireUsable(String text, IpAddress first, int prefixLength) {
        for (String block : UNUSABLE) {
            int slash = block.indexOf('/');
            IpAddress begin = IpAddress.parse(block.substring(0, slash));
            int common = Math.min(prefixLength, Integer.parseInt(block.substring(slash + 1)));
            if (begin.v6() == first.v6() && begin.network(common).equals(first.network(common))) {
                throw new IllegalArgumentException(
                        "'" + text + "' overlaps " + block + ", where no pod can have an address");
            }
        }
    }

    private static int prefixLength(String text, IpAddress first, int length) {
        if (length < 1 || length > first.bits()) {
            throw new IllegalArgumentException(
                    "'" + text + "': the prefix length is from 1 to " + first.bits());
        }
        IpAddress network = first.network(length);
        if (!network.equals(first)) {
            throw new IllegalArgumentException(
                    "'" + text + "' does not begin a block: write " + network + "/" + length);
        }
        return length;
    }
}
