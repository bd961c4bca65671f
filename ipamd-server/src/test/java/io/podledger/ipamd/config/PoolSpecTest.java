package io.podledger.ipamd.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.podledger.projections.IpAddress;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PoolSpecTest {
    @Test
    void allPartsAreRead() {
        PoolSpec pool = PoolSpec.parse("10.99.1.64/27@eth1,table=101,via=10.99.1.1");

        assertThat(pool)
                .isEqualTo(
                        new PoolSpec(
                                IpAddress.parse("10.99.1.64"),
                                27,
                                "eth1",
                                OptionalInt.of(101),
                                Optional.of(IpAddress.parse("10.99.1.1"))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.99.1.64/27",
                "fd00::/64",
                "10.99.1.64/27@eth1",
                "1.2.3.4/32@e,via=1.2.3.5",
                "1.2.3.4/32@e,table=7"
            })
    void itIsShownAsItWasGiven(String text) {
        assertThat(PoolSpec.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({
        "10.99.1.64,CIDR",
        "10.99.1.64/33,1 to 32",
        "10.99.1.64/0,1 to 32",
        "fd00::/129,1 to 128",
        "10.99.1.65/27,10.99.1.64/27",
        "banana/24,not an IP address",
        "224.0.0.0/24,224.0.0.0/4",
        "0.0.0.0/1,0.0.0.0/8",
        "127.0.0.0/8,overlaps 127.0.0.0/8",
        "169.254.1.0/30,169.254.0.0/16",
        "255.255.255.255/32,overlaps",
        "fe80::/120,fe80::/10",
        "::/1,::/127",
        "10.99.1.64/27@,CIDR",
        "10.99.1.64/27@eth0eth0eth0eth0,CIDR",
        "'10.99.1.64/27@eth1,via=fd00::1',family",
        "'10.99.1.64/27@eth1,table=0',table",
        "'10.99.1.64/27,table=5',CIDR"
    })
    void whatCannotBeIsRefusedWithTheRemedy(String text, String remedy) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PoolSpec.parse(text))
                .withMessageContaining(remedy);
    }
}
