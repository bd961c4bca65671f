package io.podledger.ipamd.cni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.podledger.projections.Attachment;
import io.podledger.projections.Pod;
import io.podledger.shim.CniRequest;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CniCallReaderTest {
    private static CniRequest request(String command, Consumer<CniRequest.Builder> change) {
        CniRequest.Builder builder =
                CniRequest.newBuilder()
                        .setCommand(utf8(command))
                        .setContainerId(utf8("c1"))
                        .setIfName(utf8("eth0"))
                        .setNetns(utf8("/run/netns/x"))
                        .setHasNetns(true)
                        .setArgs(utf8("K8S_POD_NAME=web;IgnoreUnknown=1;K8S_POD_NAMESPACE=shop"))
                        .setConfig(config("1.0.0", ""));
        change.accept(builder);
        return builder.build();
    }

    private static ByteString utf8(String text) {
        return ByteString.copyFromUtf8(text);
    }

    private static ByteString config(String version, String more) {
        return config("podledger", version, more);
    }

    private static ByteString config(String type, String version, String more) {
        return utf8(
                "{\"cniVersion\":\"%s\",\"name\":\"net\",\"type\":\"%s\"%s}"
                        .formatted(version, type, more));
    }

    private static CniError refusal(String command, Consumer<CniRequest.Builder> change) {
        return catchThrowableOfType(
                        CniException.class, () -> CniCallReader.read(request(command, change)))
                .error();
    }

    private static CniCall.Add add(Consumer<CniRequest.Builder> change) throws CniException {
        return (CniCall.Add) CniCallReader.read(request("ADD", change));
    }

    @Test
    void anAddIsReadWhole() throws CniException {
        CniCall.Add add = add(_ -> {});

        assertThat(add.attachment()).isEqualTo(new Attachment("net", "c1", "eth0"));
        assertThat(add.pod()).contains(new Pod("shop", "web", ""));
        assertThat(add.runtimeManaged()).isFalse();
        assertThat(add.netnsPath()).isEqualTo("/run/netns/x");
        assertThat(add.config().delegate()).isFalse();
    }

    @Test
    void theRuntimesOwnArgumentIsSeen() throws CniException {
        CniCall.Add add = add(builder -> builder.setArgs(utf8("K8S_POD_INFRA_CONTAINER_ID=c1")));

        assertThat(add.runtimeManaged()).isTrue();
        assertThat(add.pod()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ADD", "DEL", "CHECK"})
    void everyVerbChecksTheContainerId(String verb) {
        for (String id :
                new String[] {"", "../x", "a/b", "a b", "-a", "a\nb", "a\0b", "x".repeat(256)}) {
            CniError error = refusal(verb, builder -> builder.setContainerId(utf8(id)));

            assertThat(error.code()).isEqualTo(CniError.ENVIRONMENT);
            assertThat(error.message()).contains("CNI_CONTAINERID").hasSizeLessThan(300);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ".",
                "..",
                "a/b",
                "a:b",
                "a b",
                "eth%d",
                "all",
                "default",
                "abcdefghijklmnop",
                "éééééééé"
            })
    void interfaceNamesAreTheKernels(String name) {
        CniError error = refusal("DEL", builder -> builder.setIfName(utf8(name)));

        assertThat(error.code()).isEqualTo(CniError.ENVIRONMENT);
        assertThat(error.message()).contains("CNI_IFNAME");
    }

    @ParameterizedTest
    @CsvSource({
        "'',6",
        "'[]',6",
        "'{',6",
        "nonsense,6",
        "'{\"name\":\"net\",\"name\":\"net\"}',6",
        "'{\"name\":\"net\"}',1",
        "'{\"cniVersion\":\"1.0.0\"}',7",
        "'{\"cniVersion\":\"1.0.0\",\"name\":7}',7",
        "'{\"cniVersion\":\"1.0.0\",\"name\":\"a/b\"}',7"
    })
    void aConfigurationThatCannotBeIsRefusedWithItsCode(String text, int code) {
        CniError error = refusal("ADD", builder -> builder.setConfig(utf8(text)));

        assertThat(error.code()).isEqualTo(code);
    }

    @Test
    void nestingIsBounded() {
        ByteString deep = utf8("{\"a\":".repeat(50_000));

        assertThat(refusal("ADD", builder -> builder.setConfig(deep)).code())
                .isEqualTo(CniError.DECODE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.1.0", "0.2.0", "0.3.0", "1.2.0", "banana"})
    void otherVersionsAreError1AndTheServedOnesAreNamed(String version) {
        CniError error = refusal("ADD", builder -> builder.setConfig(config(version, "")));

        assertThat(error.code()).isEqualTo(CniError.VERSION);
        assertThat(error.details()).contains("0.3.1, 0.4.0, 1.0.0, 1.1.0");
    }

    @Test
    void checkNeedsAVersionThatHasIt() {
        assertThat(refusal("CHECK", builder -> builder.setConfig(config("0.3.1", ""))).code())
                .isEqualTo(CniError.VERSION);
    }

    @Test
    void bytesThatAreNoTextNameTheirVariable() {
        ByteString bytes = ByteString.copyFrom(new byte[] {(byte) 0xff, 'a'});

        assertThat(refusal("ADD", builder -> builder.setArgs(bytes)).message())
                .contains("CNI_ARGS");
        assertThat(refusal("ADD", builder -> builder.setNetns(bytes)).message())
                .contains("CNI_NETNS");
    }

    @Test
    void aNamespaceThatCannotBeOpenedIsError8AndNoneIsError4() {
        assertThat(refusal("ADD", builder -> builder.setHasNetns(false).setNetnsErrno(2)).code())
                .isEqualTo(CniError.NAMESPACE);
        assertThat(refusal("ADD", builder -> builder.clearNetns().setHasNetns(false)).code())
                .isEqualTo(CniError.ENVIRONMENT);
    }

    @Test
    void anIpamSectionMakesADelegate() throws CniException {
        String ipam =
                """
                ,"ipam":{"type":"podledger","ranges":[[{"subnet":"10.88.0.0/24","gateway":"10.88.0.1"}]]}
                """;

        CniCall.Add add = add(builder -> builder.setConfig(config("bridge", "1.0.0", ipam)));

        assertThat(add.config().delegate()).isTrue();
        assertThat(add.config().subnets()).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"10.88.0.0", "10.88.0.0/33", "x/24", "10.88.0.0/", ""})
    void aSubnetThatIsNoneIsError7(String subnet) {
        String ipam = ",\"ipam\":{\"type\":\"podledger\",\"subnet\":\"" + subnet + "\"}";

        CniError error =
                refusal("ADD", builder -> builder.setConfig(config("bridge", "1.0.0", ipam)));

        assertThat(error.code()).isEqualTo(CniError.CONFIGURATION);
        assertThat(error.message()).contains("ipam.subnet");
    }

    @ParameterizedTest
    @ValueSource(strings = {"100", "\"9999999\"", "-1", "\"big\"", "true"})
    void anMtuOutOfBoundsIsError7(String mtu) {
        ByteString config = config("1.0.0", ",\"mtu\":" + mtu);

        CniError error = refusal("ADD", builder -> builder.setConfig(config));

        assertThat(error.code()).isEqualTo(CniError.CONFIGURATION);
        assertThat(error.message()).contains("mtu");
    }

    @Test
    void podNamesOf253CharactersAreTakenAndLongerOnesAreNot() throws CniException {
        String name = "n".repeat(253);
        String args = "K8S_POD_NAMESPACE=" + name + ";K8S_POD_NAME=" + name;

        assertThat(add(builder -> builder.setArgs(utf8(args))).pod())
                .contains(new Pod(name, name, ""));
        assertThat(refusal("ADD", builder -> builder.setArgs(utf8(args + "n"))).message())
                .contains("253");
    }

    @Test
    void anUnknownVerbIsNamedWithoutItsControlCharacters() {
        CniError error = refusal("SING\n\u001b[31m", _ -> {});

        assertThat(error.code()).isEqualTo(CniError.ENVIRONMENT);
        assertThat(error.message()).contains("CNI_COMMAND").doesNotContain("\n", "\u001b");
    }

    @Test
    void anIpamSectionBesidesOurOwnTypeIsAMistake() {
        String ipam = ",\"ipam\":{\"type\":\"podledger\"}";

        CniError error = refusal("ADD", builder -> builder.setConfig(config("1.0.0", ipam)));

        assertThat(error.code()).isEqualTo(CniError.CONFIGURATION);
        assertThat(error.message()).contains("ipam.type");
    }

    @Test
    void routesThatAreNoListAreError7() {
        String ipam = ",\"ipam\":{\"type\":\"podledger\",\"routes\":\"all\"}";

        CniError error =
                refusal("ADD", builder -> builder.setConfig(config("bridge", "1.0.0", ipam)));

        assertThat(error.code()).isEqualTo(CniError.CONFIGURATION);
        assertThat(error.message()).contains("ipam.routes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1500", "\"1500\"", "0", "1280", "9216"})
    void anMtuMayBeANumberOrItsText(String mtu) throws CniException {
        CniCall.Add add = add(builder -> builder.setConfig(config("1.0.0", ",\"mtu\":" + mtu)));

        assertThat(add.config().mtu()).isEqualTo(Integer.parseInt(mtu.replace("\"", "")));
    }

    @Test
    void aDelSucceedsWithWhatMadeItsAddFail() throws CniException {
        String args = "K8S_POD_NAMESPACE=s;K8S_POD_NAME=" + "n".repeat(300);
        String ipam = ",\"mtu\":7,\"ipam\":{\"type\":\"podledger\",\"subnet\":\"x\"}";

        CniCall call =
                CniCallReader.read(
                        request(
                                "DEL",
                                builder ->
                                        builder.setArgs(utf8(args))
                                                .setNetns(ByteString.copyFrom(new byte[] {-1}))
                                                .setConfig(config("1.0.0", ipam))));

        assertThat(call)
                .isInstanceOfSatisfying(
                        CniCall.Del.class,
                        del -> {
                            assertThat(del.attachment())
                                    .isEqualTo(new Attachment("net", "c1", "eth0"));
                            assertThat(del.pod()).isEmpty();
                        });
    }

    @Test
    void theArgumentsMayComeInAnyOrderAndOthersArePassedOver() throws CniException {
        String args = "x;=y;K8S_POD_UID=u-1;K8S_POD_NAME=a=b;;K8S_POD_NAMESPACE=shop;Z=1";

        assertThat(add(builder -> builder.setArgs(utf8(args))).pod())
                .contains(new Pod("shop", "a=b", "u-1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"we\nb", "we\u001bb"})
    void controlCharactersInAPodsNameAreRefused(String name) {
        String args = "K8S_POD_NAMESPACE=shop;K8S_POD_NAME=" + name;

        assertThat(refusal("ADD", builder -> builder.setArgs(utf8(args))).code())
                .isEqualTo(CniError.ENVIRONMENT);
    }

    @Test
    void aNamespacePathIsMeasuredInBytes() {
        String path = "/" + "é".repeat(2_100);

        assertThat(refusal("ADD", builder -> builder.setNetns(utf8(path))).message())
                .contains("CNI_NETNS", "4095 bytes");
    }
}
