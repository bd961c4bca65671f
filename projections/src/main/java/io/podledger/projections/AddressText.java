package io.podledger.projections;

import java.net.InetAddress;

/// Addresses as people write them: dotted quads, and IPv6 in the one form of RFC 5952.
final class AddressText {
    private AddressText() {}

    private static final int GROUPS = 8;

    /// @throws IllegalArgumentException if the text is not a literal address
    static IpAddress parse(String text) {
        boolean v6 = text.indexOf(':') >= 0;
        if (text.isEmpty() || !text.chars().allMatch(AddressText::literal)) {
            throw new IllegalArgumentException("'" + text + "' is not an IP address");
        }
        IpAddress address = literal(text);
        // Literals such as 10.1 or 010.0.0.1 mean different addresses to different readers, and
        // ::ffff:10.0.0.1 is an IPv4 address in disguise.
        if (address.v6() != v6 || (!v6 && !address.toString().equals(text))) {
            throw new IllegalArgumentException(
                    "'" + text + "' is ambiguous: write the address as " + address);
        }
        return address;
    }

    private static IpAddress literal(String text) {
        try {
            return IpAddress.of(InetAddress.ofLiteral(text).getAddress());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + text + "' is not an IP address", e);
        }
    }

    private static boolean literal(int c) {
        return c == '.' || c == ':' || (c < 0x80 && Character.digit(c, 16) >= 0);
    }

    static String of(IpAddress address) {
        return address.v6() ? v6(groups(address)) : v4(address.low());
    }

    private static String v4(long bits) {
        return (bits >>> 24)
                + "."
                + (bits >>> 16 & 0xff)
                + "."
                + (bits >>> 8 & 0xff)
                + "."
                + (bits & 0xff);
    }

    private static int[] groups(IpAddress address) {
        int[] groups = new int[GROUPS];
        for (int i = 0; i < 4; i++) {
            groups[i] = (int) (address.high() >>> (48 - 16 * i)) & 0xffff;
            groups[4 + i] = (int) (address.low() >>> (48 - 16 * i)) & 0xffff;
        }
        return groups;
    }

    /// The longest run of at least two zero groups, the first of equals, is written as `::`.
    private static String v6(int[] groups) {
        int start = GROUPS;
        int length = 1;
        for (int i = 0; i < GROUPS; i++) {
            int zeros = zeros(groups, i);
            if (zeros > length) {
                start = i;
                length = zeros;
            }
        }
        if (start == GROUPS) {
            return joined(groups, 0, GROUPS);
        }
        return joined(groups, 0, start) + "::" + joined(groups, start + length, GROUPS);
    }

    private static int zeros(int[] groups, int from) {
        int end = from;
        while (end < GROUPS && groups[end] == 0) {
            end++;
        }
        return end - from;
    }

    private static String joined(int[] groups, int from, int to) {
        StringBuilder text = new StringBuilder();
        for (int i = from; i < to; i++) {
            text.append(i == from ? "" : ":").append(Integer.toHexString(groups[i]));
        }
        return text.toString();
    }
}
