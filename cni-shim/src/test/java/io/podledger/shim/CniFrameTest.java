package io.podledger.shim;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CniFrameTest {
    /// The check value of CRC-32C is known: E3069283 for these nine characters.
    @Test
    void theLayoutIsTheOneThatIsDrawn() {
        String golden = "50444c47" + "0100" + "0000" + "09000000" + "839206e3";
        byte[] message = "123456789".getBytes(US_ASCII);
        assertThat(HexFormat.of().formatHex(CniFrame.encode(message)))
                .isEqualTo(golden + HexFormat.of().formatHex(message));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 255, 65_536, CniFrame.MESSAGE_BYTES_MAX})
    void aFrameGivesItsMessageBack(int bytes) {
        byte[] message = new byte[bytes];
        new Random(bytes).nextBytes(message);
        byte[] frame = CniFrame.encode(message);
        assertThat(CniFrame.frameBytes(frame)).isEqualTo(frame.length);
        assertThat(CniFrame.payload(frame)).isEqualTo(message);
    }

    @Test
    void theLengthIsKnownFromTheHeaderOn() {
        byte[] frame = CniFrame.encode(new byte[100]);
        assertThat(CniFrame.frameBytes(Arrays.copyOf(frame, 15))).isZero();
        assertThat(CniFrame.frameBytes(Arrays.copyOf(frame, 16))).isEqualTo(116);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 00, does not begin with PDLG",
        "3, 00, does not begin with PDLG",
        "4, 03, its version is 3",
        "5, 01, its version is 257",
        "10, 11, its length is 1114116 bytes",
        "11, ff, its length is 4278190084 bytes",
        "8, 05, is not whole",
        "8, 03, is not whole",
        "12, 00, checksum does not match",
        "16, 00, checksum does not match",
    })
    void eachFaultHasItsOwnWords(int at, String hex, String words) {
        byte[] frame = CniFrame.encode(new byte[] {1, 2, 3, 4});
        frame[at] = (byte) Integer.parseInt(hex, 16);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CniFrame.payload(frame))
                .withMessageContaining(words);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void theNeighbouringVersionsAreServed(int version) {
        byte[] frame = CniFrame.encode(new byte[] {1});
        frame[4] = (byte) version;
        assertThat(CniFrame.payload(frame)).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 15, 19})
    void aCutFrameIsNone(int bytes) {
        byte[] cut = Arrays.copyOf(CniFrame.encode(new byte[] {1, 2, 3, 4}), bytes);
        assertThatIllegalArgumentException().isThrownBy(() -> CniFrame.payload(cut));
    }
}
