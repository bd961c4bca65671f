package io.podledger.ipamd.wiring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.podledger.ipamd.netlink.Mac;
import io.podledger.projections.Attachment;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Names, MACs and marks follow from the attachment, whatever its length.
class NamingTest {
    private static final Attachment SHORT = new Attachment("net", "a", "eth0");
    private static final Attachment LONG = new Attachment("n".repeat(300), "c".repeat(64), "eth0");

    @Test
    void namesAndMacsNeverChange() {
        assertThat(Naming.hostDevice(SHORT)).isEqualTo("eniacf728709df");
        assertThat(Naming.hostMac(SHORT)).hasToString("76:89:49:1e:5e:80");
        assertThat(Naming.podMac(SHORT)).hasToString("da:64:63:16:63:6f");
    }

    @Test
    void aDeviceNameFitsTheKernel() {
        assertThat(Naming.hostDevice(LONG)).matches("eni[0-9a-f]{11}");
    }

    @Test
    void eachPartOfTheAttachmentCounts() {
        assertThat(Naming.hostDevice(new Attachment("net", "a", "eth1")))
                .isNotEqualTo(Naming.hostDevice(SHORT));
        assertThat(Naming.hostDevice(new Attachment("net", "b", "eth0")))
                .isNotEqualTo(Naming.hostDevice(SHORT));
        assertThat(Naming.hostDevice(new Attachment("ten", "a", "eth0")))
                .isNotEqualTo(Naming.hostDevice(SHORT));
    }

    @Test
    void macsAreLocalAndOfOneHost() {
        for (int i = 0; i < 200; i++) {
            Attachment attachment = new Attachment("net", "container" + i, "eth0");
            assertLocalUnicast(Naming.hostMac(attachment));
            assertLocalUnicast(Naming.podMac(attachment));
        }
    }

    @Test
    void aMarkReadsAsItWasWritten() {
        Mark mark = Mark.of("journal-1", SHORT);

        assertThat(mark.text()).isEqualTo("podledger:journal-1:net/a/eth0");
        assertThat(Mark.parse(mark.text())).contains(mark);
    }

    @Test
    void aLongMarkIsHashedAndFitsTheKernel() {
        Mark mark = Mark.of("j".repeat(64), LONG);

        assertThat(mark.text().getBytes(UTF_8)).hasSizeLessThanOrEqualTo(255);
        assertThat(mark.subject()).matches("sha256=[0-9a-f]{64}");
        assertThat(Mark.parse(mark.text())).contains(mark);
    }

    @Test
    void whatOthersWriteIsNoMark() {
        for (String alias :
                new String[] {"", "uplink", "podledger", "podledger:a", "podledger::"}) {
            assertThat(Mark.parse(alias)).isEqualTo(Optional.empty());
        }
    }

    private static void assertLocalUnicast(Mac mac) {
        assertThat(mac.bytes()[0] & 0x03).isEqualTo(0x02);
    }
}
