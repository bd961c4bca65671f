package io.podledger.projections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IpAddressTest {
    @ParameterizedTest
    @CsvSource({
        "0.0.0.0, 0.0.0.0",
        "10.99.1.64, 10.99.1.64",
        "255.255.255.255, 255.255.255.255",
        "::, ::",
        "::1, ::1",
        "fd00::, fd00::",
        "FD00:0:0:0:0:0:0:1, fd00::1",
        "2001:db8:0:0:1:0:0:1, 2001:db8::1:0:0:1",
        "2001:db8:0:1:1:1:1:1, 2001:db8:0:1:1:1:1:1",
        "1:0:0:2:0:0:0:3, 1:0:0:2::3",
        "0:1:2:3:4:5:6:7, 0:1:2:3:4:5:6:7",
        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
    })
    void isWrittenInOneForm(String text, String canonical) {
        IpAddress address = IpAddress.parse(text);

        assertThat(address).hasToString(canonical);
        assertThat(IpAddress.parse(canonical)).isEqualTo(address);
        assertThat(IpAddress.of(address.bytes())).isEqualTo(address);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10",
                "10.1",
                "10.0.0",
                "010.0.0.1",
                "10.0.0.256",
                "10.0.0.1/32",
                "10.0.0.1 ",
                "localhost",
                "fe80::1%eth0",
                "::ffff:10.0.0.1",
                ":::",
                "1::2::3",
                "12345::",
                "[::1]",
                "１０.0.0.1",
                "...",
                "a.b.c.d"
            })
    void isNothingElse(String text) {
        assertThatThrownBy(() -> IpAddress.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("'" + text + "' is");
    }

    @Test
    void isOfFourOrSixteenBytes() {
        assertThatThrownBy(() -> IpAddress.of(new byte[5]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new IpAddress(false, 0, 1L << 32))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void countsOnAcrossEveryCarry() {
        assertThat(IpAddress.parse("10.0.0.255").plus(1)).hasToString("10.0.1.0");
        assertThat(IpAddress.parse("255.255.255.255").plus(1)).hasToString("0.0.0.0");
        assertThat(IpAddress.parse("fd00::ffff:ffff:ffff:ffff").plus(1))
                .hasToString("fd00:0:0:1::");
    }

    @Test
    void standsInTheOrderOfItsBitsWithIpv4First() {
        Stream<String> sorted =
                Stream.of("0.0.0.0", "127.0.0.1", "128.0.0.0", "255.0.0.0", "::", "8000::", "ff::")
                        .map(IpAddress::parse)
                        .sorted()
                        .map(IpAddress::toString);

        assertThat(sorted)
                .containsExactly(
                        "0.0.0.0", "127.0.0.1", "128.0.0.0", "255.0.0.0", "::", "ff::", "8000::");
    }
}
