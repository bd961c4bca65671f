package io.podledger.ipamd.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.podledger.ipamd.netlink.Link;
import io.podledger.projections.Attachment;
import java.util.Optional;

/// The alias that says which journal's attachment a host device belongs to.
///
/// @param subject the attachment's key, or `sha256=` and its hash where the key is too long for an
///   alias. A key has two `/`, a hash none
public record Mark(String journalId, String subject) {
    private static final String PREFIX = "podledger:";
    private static final String HASHED = "sha256=";

    public static Mark of(String journalId, Attachment attachment) {
        Mark mark = new Mark(journalId, attachment.key());
        return mark.text().getBytes(UTF_8).length <= Link.ALIAS_BYTES_MAX
                ? mark
                : new Mark(journalId, hashed(attachment));
    }

    /// Empty for an alias that is not of our making.
    public static Optional<Mark> parse(String alias) {
        String[] parts = alias.split(":", 3);
        return parts.length == 3
                        && alias.startsWith(PREFIX)
                        && !parts[1].isEmpty()
                        && !parts[2].isEmpty()
                ? Optional.of(new Mark(parts[1], parts[2]))
                : Optional.empty();
    }

    /// The mark of a device: one whose name does not follow from the mark does not count.
    static Optional<Mark> of(Link device) {
        return parse(device.alias())
                .filter(
                        mark ->
                                mark.subject.startsWith(HASHED)
                                        || Naming.hostDevice(mark.subject).equals(device.name()));
    }

    /// At most [Link#ALIAS_BYTES_MAX] bytes, for a journal's ID without `:` and of a sane length.
    public String text() {
        return PREFIX + journalId + ":" + subject;
    }

    private static String hashed(Attachment attachment) {
        return HASHED + Naming.sha256(attachment.key());
    }
}
