package io.podledger.ipamd.cni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.google.protobuf.ByteString;
import io.podledger.shim.CniFrame;
import io.podledger.shim.CniRequest;
import io.podledger.shim.CniResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Peers that do not behave as the plugin does.
class CniServerTest {
    private static final String NOTHING = "/dev/null";

    @TempDir Path folder;
    private Endpoint endpoint;

    @BeforeEach
    void open() throws Exception {
        endpoint = new Endpoint(folder);
    }

    @AfterEach
    void close() {
        endpoint.close();
    }

    private static byte[] frame(String command, String container) {
        return frame(command, container, false);
    }

    private static byte[] frame(String command, String container, boolean hasNetns) {
        return CniFrame.encode(
                CniRequest.newBuilder()
                        .setCommand(ByteString.copyFromUtf8(command))
                        .setContainerId(ByteString.copyFromUtf8(container))
                        .setIfName(ByteString.copyFromUtf8("eth0"))
                        .setNetns(ByteString.copyFromUtf8("/run/netns/x"))
                        .setHasNetns(hasNetns)
                        .setConfig(
                                ByteString.copyFromUtf8(
                                        "{\"cniVersion\":\"0.4.0\",\"name\":\"net\",\"type\":"
                                                + "\"bridge\",\"ipam\":{\"type\":\"podledger\"}}"))
                        .build()
                        .toByteArray());
    }

    private CniResponse call(String command, String container) throws Exception {
        try (Peer peer = new Peer(endpoint.socket)) {
            return peer.descriptor(NOTHING).bytes(frame(command, container)).response();
        }
    }

    private static String text(CniResponse response) {
        return response.getStdout().toString(UTF_8);
    }

    @Test
    void theSocketIsForItsOwnerAlone() throws IOException {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(endpoint.socket)))
                .isEqualTo("rw-------");
    }

    @Test
    void aDelegatesAddressIsGivenCheckedAndTakenBack() throws Exception {
        assertThat(text(call("ADD", "a"))).contains("\"address\":\"10.9.0.");
        assertThat(call("CHECK", "a")).isEqualTo(CniResponse.getDefaultInstance());
        assertThat(call("DEL", "a")).isEqualTo(CniResponse.getDefaultInstance());
        assertThat(text(call("CHECK", "a"))).contains("\"code\":101", "\"cniVersion\":\"0.4.0\"");
    }

    @Test
    void aFrameMayComeByteByByte() throws Exception {
        try (Peer peer = new Peer(endpoint.socket)) {
            peer.descriptor(NOTHING);
            for (byte b : frame("ADD", "a")) {
                peer.bytes(new byte[] {b});
            }
            assertThat(text(peer.response())).contains("\"ips\"");
        }
    }

    @Test
    void whatFollowsTheFrameChangesNothing() throws Exception {
        try (Peer peer = new Peer(endpoint.socket)) {
            byte[] frame = frame("ADD", "a");
            byte[] longer = Arrays.copyOf(frame, frame.length + 999);
            assertThat(text(peer.descriptor(NOTHING).bytes(longer).response())).contains("\"ips\"");
        }
    }

    @Test
    void garbageAfterTheDescriptorIsError6() throws Exception {
        try (Peer peer = new Peer(endpoint.socket)) {
            byte[] garbage = "GET / HTTP/1.1\r\n\r\n".getBytes(UTF_8);
            assertThat(text(peer.descriptor(NOTHING).bytes(garbage).response()))
                    .contains("\"code\":6");
        }
        byte[] broken = frame("ADD", "a");
        broken[broken.length - 1] ^= 1;
        try (Peer peer = new Peer(endpoint.socket)) {
            assertThat(text(peer.descriptor(NOTHING).bytes(broken).response()))
                    .contains("\"code\":6", "checksum");
        }
    }

    @Test
    void aPeerWithoutWholeRequestIsClosedInTimeAndServesNobodyWorse() throws Exception {
        List<Peer> peers = new ArrayList<>();
        byte[] frame = frame("ADD", "a");
        peers.add(new Peer(endpoint.socket));
        peers.add(new Peer(endpoint.socket).bytes(new byte[70_000]));
        peers.add(new Peer(endpoint.socket).descriptor(NOTHING));
        peers.add(new Peer(endpoint.socket).descriptor(NOTHING).bytes(Arrays.copyOf(frame, 40)));

        assertThat(text(call("ADD", "b"))).contains("\"ips\"");
        for (Peer peer : peers) {
            assertThat(peer.end()).isEmpty();
            peer.close();
        }
    }

    @Test
    void aPeerThatLeavesBeforeItsAnswerLeavesNoDescriptor() throws Exception {
        String file = folder.resolve("held").toString();
        for (int i = 0; i < 20; i++) {
            try (Peer peer = new Peer(endpoint.socket)) {
                peer.descriptor(file).bytes(frame("ADD", "c" + i, i % 2 == 0));
            }
            try (Peer peer = new Peer(endpoint.socket)) {
                peer.descriptor(file);
            }
        }
        assertThat(text(call("ADD", "last"))).contains("\"ips\"");
        Descriptors.untilNoneLeadsTo(file);
    }

    @Test
    void aDescriptorThatIsNoNetworkNamespaceIsError8ForAnAddAndNothingForADel() throws Exception {
        try (Peer peer = new Peer(endpoint.socket)) {
            peer.descriptor(NOTHING).bytes(frame("ADD", "a", true));
            assertThat(text(peer.response())).contains("\"code\":8");
        }
        try (Peer peer = new Peer(endpoint.socket)) {
            peer.descriptor(NOTHING).bytes(frame("DEL", "a", true));
            assertThat(peer.response()).isEqualTo(CniResponse.getDefaultInstance());
        }
    }

    @Test
    void statusFailsBeforeTheFirstReadinessOnly() throws Exception {
        assertThat(text(call("STATUS", ""))).contains("\"code\":50");
        endpoint.service.ready();
        assertThat(call("STATUS", "").getExitCode()).isZero();
        assertThat(text(call("VERSION", ""))).contains("\"supportedVersions\"");
    }

    @Test
    void aWriterThatHasStoppedStillAnswers() throws Exception {
        endpoint.stopWriter();

        assertThat(text(call("ADD", "a"))).contains("\"code\":11");
        assertThat(call("DEL", "a").getSpool()).isTrue();
        assertThat(text(call("CHECK", "a"))).contains("\"code\":11");
    }

    @Test
    void theSocketOfADaemonThatAnswersIsNotTaken() throws Exception {
        assertThatIOException()
                .isThrownBy(() -> CniServer.listen(endpoint.socket, endpoint.service, "boot"))
                .withMessageContaining("another daemon answers there");
        assertThat(text(call("VERSION", ""))).contains("\"supportedVersions\"");
    }

    @Test
    void aPathThatIsTooLongForASocketIsRefusedByItsBound() {
        Path long108 = folder.resolve("x".repeat(108)).resolve("cni.sock");

        assertThatIOException()
                .isThrownBy(() -> CniServer.listen(long108, endpoint.service, "boot"))
                .withMessageContaining("107 bytes");
    }
}
