package io.podledger.ipamd.wiring;

import static org.assertj.core.api.Assertions.assertThat;

import io.podledger.ipamd.wiring.Lab.Namespace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Settings are set where they can be; the others are named with their remedy.
class HostSysctlsTest {
    private static final Path REAL = Path.of("/proc/sys");

    @TempDir private Path root;
    private final List<Path> links = new ArrayList<>();

    /// JUnit warns about links that lead out of its folder.
    @AfterEach
    void removeLinks() throws IOException {
        for (Path link : links) {
            Files.delete(link);
        }
    }

    @Test
    @Tag("netns")
    void theRealKernelIsSet() throws Exception {
        try (Lab lab = new Lab()) {
            Namespace host = lab.namespace("host");
            host.run("ip link add eth1 type veth peer name x");
            host.run("sysctl -qw net.ipv4.conf.eth1.rp_filter=1 net.ipv4.ip_forward=0");

            List<String> problems =
                    host.call(
                            () ->
                                    new HostSysctls(REAL)
                                            .ensure(true, true, List.of("eth1"), List.of("eth1")));

            assertThat(problems).isEmpty();
            assertThat(
                            host.run(
                                    "sysctl -n net.ipv4.ip_forward net.ipv6.conf.all.forwarding"
                                            + " net.ipv4.conf.eth1.rp_filter"
                                            + " net.ipv6.conf.eth1.accept_ra"))
                    .isEqualTo("1\n1\n2\n2\n");
        }
    }

    @Test
    void aStrictFilterForAllIsLoosenedOnTheUplinkAlone() throws Exception {
        set("net/ipv4/ip_forward", "1");
        set("net/ipv4/conf/all/rp_filter", "1");
        set("net/ipv4/conf/eth1/rp_filter", "0");

        assertThat(ensure(true, false)).isEmpty();

        assertThat(get("net/ipv4/conf/eth1/rp_filter")).isEqualTo("2");
        assertThat(get("net/ipv4/conf/all/rp_filter")).isEqualTo("1");
    }

    @Test
    void aDeviceThatNeverListenedToAdvertisementsStaysSo() throws Exception {
        set("net/ipv6/conf/all/forwarding", "0");
        set("net/ipv6/conf/eth1/accept_ra", "0");

        assertThat(ensure(false, true)).isEmpty();

        assertThat(get("net/ipv6/conf/eth1/accept_ra")).isEqualTo("0");
        assertThat(get("net/ipv6/conf/all/forwarding")).isEqualTo("1");
    }

    @Test
    void whatCannotBeSetIsNamedWithItsRemedy() throws Exception {
        readOnly("net/ipv4/ip_forward", "type");

        assertThat(ensure(true, false))
                .containsExactly(
                        "net/ipv4/ip_forward must be 1 and cannot be set from here: run"
                                + " 'sysctl -w net/ipv4/ip_forward=1' on the node");
    }

    @Test
    void forwardingStaysOffWhereItWouldCostTheNodeItsRoute() throws Exception {
        readOnly("net/ipv6/conf/eth1/accept_ra", "ifindex");
        set("net/ipv6/conf/all/forwarding", "0");

        assertThat(ensure(false, true))
                .singleElement()
                .asString()
                .contains("sysctl -w net/ipv6/conf/eth1/accept_ra=2");
        assertThat(get("net/ipv6/conf/all/forwarding")).isEqualTo("0");
    }

    private List<String> ensure(boolean v4, boolean v6) {
        return new HostSysctls(root).ensure(v4, v6, List.of("eth1"), List.of("eth1"));
    }

    private void set(String setting, String value) throws IOException {
        Files.createDirectories(root.resolve(setting).getParent());
        Files.writeString(root.resolve(setting), value);
    }

    /// A file that not even root can write to, as a setting is in a container.
    ///
    /// @param fact one of the kernel's about `lo`: its `ifindex` is 1, its `type` is 772
    private void readOnly(String setting, String fact) throws IOException {
        Files.createDirectories(root.resolve(setting).getParent());
        Path kernels = Path.of("/sys/class/net/lo", fact);
        links.add(Files.createSymbolicLink(root.resolve(setting), kernels));
    }

    private String get(String setting) throws IOException {
        return Files.readString(root.resolve(setting));
    }
}
