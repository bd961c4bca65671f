package io.podledger.ipamd.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.podledger.ipamd.netlink.Mac;
import io.podledger.projections.Attachment;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Names and MACs that follow from the attachment alone: whoever asks again gets the same.
public final class Naming {
    /// Rules that people have on their nodes match `eni+`.
    private static final String DEVICE_PREFIX = "eni";

    /// An interface name has at most 15 bytes.
    private static final int DEVICE_DIGITS = 11;

    private static final long LOCALLY_ADMINISTERED = 0x02_00_00_00_00_00L;
    private static final long GROUP = 0x01_00_00_00_00_00L;

    private Naming() {}

    /// The host's end of the attachment's veth pair.
    public static String hostDevice(Attachment attachment) {
        return hostDevice(attachment.key());
    }

    static String hostDevice(String key) {
        String hash = hash("SHA-1", "podledger/device/" + key);
        return DEVICE_PREFIX + hash.substring(0, DEVICE_DIGITS);
    }

    public static Mac hostMac(Attachment attachment) {
        return mac("host", attachment);
    }

    public static Mac podMac(Attachment attachment) {
        return mac("pod", attachment);
    }

    static String sha256(String text) {
        return hash("SHA-256", text);
    }

    /// 46 bits of a hash, locally administered, unicast.
    private static Mac mac(String end, Attachment attachment) {
        String digits = sha256("podledger/mac/" + end + "/" + attachment.key()).substring(0, 12);
        return new Mac((HexFormat.fromHexDigitsToLong(digits) | LOCALLY_ADMINISTERED) & ~GROUP);
    }

    private static String hash(String algorithm, String text) {
        try {
            byte[] hash = MessageDigest.getInstance(algorithm).digest(text.getBytes(UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
