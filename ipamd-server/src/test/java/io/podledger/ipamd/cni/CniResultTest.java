package io.podledger.ipamd.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.ByteString;
import io.podledger.projections.Attachment;
import io.podledger.projections.Holding;
import io.podledger.projections.IpAddress;
import io.podledger.projections.Lease;
import io.podledger.projections.Mode;
import io.podledger.projections.NamespaceIdentity;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CniResultTest {
    private static final Attachment ATTACHMENT = new Attachment("net", "c1", "eth0");
    private static final Holding V4 = new Holding(IpAddress.parse("10.9.0.5"), "", 0);
    private static final Holding V6 = new Holding(IpAddress.parse("fd00::5"), "", 0);

    private static Lease lease(Holding... holdings) {
        return new Lease(
                ATTACHMENT,
                Optional.empty(),
                Mode.ROUTED,
                List.of(holdings),
                NamespaceIdentity.NONE,
                "eni0123456789a",
                1400);
    }

    private static CniConfig config(String version, String more) throws CniException {
        return CniConfigReader.read(
                ByteString.copyFromUtf8(
                        "{\"cniVersion\":\"%s\",\"name\":\"net\",\"type\":\"bridge\"%s}"
                                .formatted(version, more)));
    }

    private static CniCall.Add add(String version) throws CniException {
        return new CniCall.Add(
                ATTACHMENT, Optional.empty(), false, "/run/netns/x", config(version, ""));
    }

    static Stream<Arguments> routed() {
        String v4 = "\"address\":\"10.9.0.5/32\",\"gateway\":\"169.254.1.1\",\"interface\":1}";
        String v6 = "\"address\":\"fd00::5/128\",\"gateway\":\"fe80::1\",\"interface\":1}";
        String to4 = "{\"dst\":\"0.0.0.0/0\",\"gw\":\"169.254.1.1\"}";
        String to6 = "{\"dst\":\"::/0\",\"gw\":\"fe80::1\"}";
        return Stream.of("0.3.1", "0.4.0", "1.0.0", "1.1.0")
                .flatMap(
                        version -> {
                            boolean old = version.startsWith("0.");
                            String four = (old ? "{\"version\":\"4\"," : "{") + v4;
                            String six = (old ? "{\"version\":\"6\"," : "{") + v6;
                            return Stream.of(
                                    Arguments.of(version, lease(V4), four, to4),
                                    Arguments.of(version, lease(V6), six, to6),
                                    Arguments.of(
                                            version,
                                            lease(V4, V6),
                                            four + "," + six,
                                            to4 + "," + to6));
                        });
    }

    @ParameterizedTest(name = "{0} {2}")
    @MethodSource("routed")
    void aRoutedResultIsAsTheVersionHasIt(String version, Lease lease, String ips, String routes)
            throws CniException {
        String mtu = version.equals("1.1.0") ? ",\"mtu\":1400" : "";

        assertThat(CniResult.routed(add(version), lease).toStringUtf8())
                .isEqualTo(
                        ("{\"cniVersion\":\"%s\",\"interfaces\":["
                                        + "{\"name\":\"eni0123456789a\",\"mac\":\"%s\"%s},"
                                        + "{\"name\":\"eth0\",\"mac\":\"%s\","
                                        + "\"sandbox\":\"/run/netns/x\"%s}],"
                                        + "\"ips\":[%s],\"routes\":[%s],\"dns\":{}}")
                                .formatted(
                                        version,
                                        "4a:9f:ef:b8:16:04",
                                        mtu,
                                        "92:ed:46:cb:fc:68",
                                        mtu,
                                        ips,
                                        routes));
    }

    @ParameterizedTest
    @EnumSource(CniVersion.class)
    void aDelegatesResultHasItsSubnetGatewayAndRoutesAndNoInterface(CniVersion version)
            throws CniException {
        CniConfig config =
                config(
                        version.text(),
                        """
                        ,"ipam":{"type":"podledger","routes":[{"dst":"0.0.0.0/0"}],
                        "ranges":[[{"subnet":"10.9.0.0/24","gateway":"10.9.0.1"}],
                        [{"subnet":"fd00::/64"}]]}""");
        boolean old = !version.atLeast(CniVersion.V1_0_0);

        assertThat(CniResult.delegated(config, lease(V4, V6)).toStringUtf8())
                .isEqualTo(
                        ("{\"cniVersion\":\"%s\",\"ips\":["
                                        + "{%s\"address\":\"10.9.0.5/24\",\"gateway\":\"10.9.0.1\"},"
                                        + "{%s\"address\":\"fd00::5/64\"}],"
                                        + "\"routes\":[{\"dst\":\"0.0.0.0/0\"}],\"dns\":{}}")
                                .formatted(
                                        version.text(),
                                        old ? "\"version\":\"4\"," : "",
                                        old ? "\"version\":\"6\"," : ""));
    }

    @Test
    void withoutASubnetAnAddressStandsAlone() throws CniException {
        CniConfig config = config("1.0.0", ",\"ipam\":{\"type\":\"podledger\"}");

        assertThat(CniResult.delegated(config, lease(V4)).toStringUtf8())
                .isEqualTo(
                        "{\"cniVersion\":\"1.0.0\",\"ips\":[{\"address\":\"10.9.0.5/32\"}],"
                                + "\"dns\":{}}");
    }

    @Test
    void anAddressOutsideEverySubnetOfItsFamilyIsAnError() throws CniException {
        CniConfig config =
                config("1.0.0", ",\"ipam\":{\"type\":\"podledger\",\"subnet\":\"10.8.0.0/24\"}");

        assertThatExceptionOfType(CniException.class)
                .isThrownBy(() -> CniResult.delegated(config, lease(V4)))
                .withMessageContaining("ipam.subnet")
                .withMessageContaining("10.9.0.5");
    }

    @Test
    void anErrorHasItsVersionCodeMessageAndDetails() {
        assertThat(
                        CniResult.error(CniVersion.V0_4_0, new CniError(11, "later", "wait"))
                                .toStringUtf8())
                .isEqualTo(
                        "{\"cniVersion\":\"0.4.0\",\"code\":11,\"msg\":\"later\","
                                + "\"details\":\"wait\"}");
        assertThat(CniResult.error(CniVersion.V1_0_0, CniError.tryAgain("later")).toStringUtf8())
                .doesNotContain("details");
    }

    @Test
    void aCheckComparesPrevResultWithTheLease() throws Exception {
        String ips = "{\"ips\":[{\"address\":\"10.1.1.1/32\"},{\"address\":\"10.9.0.5/24\"}]}";

        assertThat(CniResult.differsFrom(config("1.0.0", ",\"prevResult\":" + ips), lease(V4)))
                .isEmpty();
        assertThat(CniResult.differsFrom(config("1.0.0", ",\"prevResult\":" + ips), lease(V6)))
                .isPresent();
        assertThat(CniResult.differsFrom(config("1.0.0", ""), lease(V6))).isEmpty();
    }
}
