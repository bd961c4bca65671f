package io.podledger.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class EnvelopeTest {
    private static final Envelope SAMPLE =
            Envelope.seal(0x8102, 7, 1000, 1_790_000_000_000L, 5, 0xCAFEBABE, new byte[] {9, 8});

    @Test
    void theBytesAreTheOnesThatOlderVersionsWrote() {
        assertThat(HexFormat.of().formatHex(SAMPLE.bytes()))
                .isEqualTo(
                        "504c4a31" // magic
                                + "0100" // format
                                + "0281" // type
                                + "0700000000000000" // sequence
                                + "e803000000000000" // ledger time
                                + "006c50c4a0010000" // wall time
                                + "0500000000000000" // durable
                                + "bebafeca" // previous CRC
                                + "02000000" // length
                                + "44fd4794" // CRC
                                + "0908");
    }

    @Test
    void itIsReadAsItWasWritten() {
        Envelope read = Envelope.read(little(SAMPLE.bytes())).orElseThrow();
        assertThat(read).usingRecursiveComparison().isEqualTo(SAMPLE);
    }

    @Test
    void everySingleFlippedBitShows() {
        byte[] bytes = SAMPLE.bytes();
        for (int bit = 0; bit < bytes.length * 8; bit++) {
            byte[] damaged = bytes.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            assertThat(Envelope.read(little(damaged))).as("bit %d", bit).isEmpty();
        }
    }

    @Test
    void everyShortenedRecordShows() {
        byte[] bytes = SAMPLE.bytes();
        for (int length = 0; length < bytes.length; length++) {
            assertThat(Envelope.read(little(bytes).limit(length))).as("%d", length).isEmpty();
        }
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
