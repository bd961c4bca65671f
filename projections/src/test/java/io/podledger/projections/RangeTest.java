package io.podledger.projections;

import static io.podledger.projections.World.range;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.7/32, 1",
        "10.0.0.6/31, 2",
        "10.99.1.64/27, 32",
        "10.0.0.0/17, 32768",
        "10.0.0.0/16, 65536",
        "128.0.0.0/1, 65536",
        "fd00::7/128, 1",
        "fd00::/113, 32768",
        "fd00::/64, 65536",
        "8000::/1, 65536",
    })
    void usesItsAddressesUpToABound(String cidr, int size) {
        Range range = range(cidr);

        assertThat(range.size()).isEqualTo(size);
        assertThat(range.cidr()).isEqualTo(cidr);
        assertThat(range.contains(range.first())).isTrue();
        assertThat(range.contains(range.first().plus(size - 1))).isTrue();
        assertThat(range.contains(range.first().plus(size))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/0, the prefix length is 1 to 32",
        "10.0.0.0/33, the prefix length is 1 to 32",
        "fd00::/129, the prefix length is 1 to 128",
        "10.0.0.1/31, write 10.0.0.0/31",
        "fd00::1/64, write fd00::/64",
        "fd00:0:0:1::/63, write fd00::/63",
    })
    void isRefusedWithTheRemedy(String cidr, String remedy) {
        assertThatThrownBy(() -> range(cidr))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(remedy);
    }

    @Test
    void knowsItsOwn() {
        Range range = range("fd00::/64");

        assertThat(range.contains(IpAddress.parse("fd00::ffff"))).isTrue();
        assertThat(range.contains(IpAddress.parse("fd00::1:0"))).isFalse();
        assertThat(range.contains(IpAddress.parse("fd00:0:0:1::"))).isFalse();
        assertThat(range.contains(IpAddress.parse("fcff:ffff:ffff:ffff::"))).isFalse();
        assertThat(range("0.0.0.0/1").contains(IpAddress.parse("::"))).isFalse();
    }

    @Test
    void overlapsByItsWholeBlockAndNotOnlyByWhatIsUsed() {
        assertThat(range("fd00::/64").overlaps(range("fd00::ffff:0/112"))).isTrue();
        assertThat(range("fd00::ffff:0/112").overlaps(range("fd00::/64"))).isTrue();
        assertThat(range("10.0.0.0/31").overlaps(range("10.0.0.2/31"))).isFalse();
        assertThat(Range.fault(World.ranges("10.0.0.0/8", "fd00::/8", "10.255.255.255/32")))
                .contains("ranges 10.0.0.0/8 and 10.255.255.255/32 overlap: keep one of them");
        assertThat(Range.fault(World.ranges("10.0.0.0/31", "10.0.0.2/31", "::/1"))).isEmpty();
    }

    @Test
    void aPoolHasABoundOfRangesAndOfAddresses() {
        List<Range> many = new ArrayList<>();
        for (int i = 0; i <= Range.POOL_RANGES_MAX; i++) {
            many.add(new Range(IpAddress.parse("10.0.0.0").plus(i), 32, "", 0));
        }
        List<Range> large = new ArrayList<>();
        for (int i = 0; i < 17; i++) {
            large.add(range("fd00:" + i + "::/64"));
        }

        assertThat(Range.fault(many).orElseThrow()).contains("at most 1024 ranges");
        assertThat(Range.fault(large).orElseThrow()).contains("1048576 addresses");
        assertThat(Range.fault(many.subList(1, many.size()))).isEmpty();
        assertThat(Range.fault(large.subList(1, 17))).isEmpty();
    }
}
