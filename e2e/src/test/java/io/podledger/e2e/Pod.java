package io.podledger.e2e;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A container as the runtime sees it: a network namespace, and calls of the real plugin for it.
final class Pod implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final Node node;
    private final String podName;
    private final String containerId;
    private final String namespace;

    Pod(Node node, String podName, String containerId, int number) {
        this.node = node;
        this.podName = podName;
        this.containerId = containerId;
        this.namespace = node.name() + "-" + number;
        Shell.run("ip", "netns", "add", namespace).ok();
    }

    String namespace() {
        return namespace;
    }

    String containerId() {
        return containerId;
    }

    Shell.Result call(String verb) {
        return call(verb, "eth0", config("podledger"), Map.of());
    }

    static String config(String network) {
        return """
               {"cniVersion":"1.0.0","name":"%s","type":"podledger"}
               """
                .formatted(network);
    }

    /// @param changes variables to add, replace, or with an empty value to leave out
    Shell.Result call(String verb, String ifName, String config, Map<String, String> changes) {
        return start(List.of(), verb, ifName, config, changes).result();
    }

    /// Calls the plugin and does not wait.
    Shell.Running start(String verb) {
        return start(List.of(), verb, "eth0", config("podledger"), Map.of());
    }

    /// @param before what the plugin's command is given to, such as a tracer
    Shell.Running start(
            List<String> before,
            String verb,
            String ifName,
            String config,
            Map<String, String> changes) {
        List<String> command = new ArrayList<>(node.booted());
        command.addAll(before);
        command.add(Node.shim().toString());
        return Shell.start(
                environment(verb, ifName, changes),
                config.getBytes(StandardCharsets.UTF_8),
                command);
    }

    Map<String, String> environment(String verb, String ifName, Map<String, String> changes) {
        Map<String, String> environment = new HashMap<>();
        environment.put("CNI_COMMAND", verb);
        environment.put("CNI_CONTAINERID", containerId);
        environment.put("CNI_NETNS", "/run/netns/" + namespace);
        environment.put("CNI_IFNAME", ifName);
        environment.put("CNI_PATH", Tools.CNI_PLUGINS.toString());
        environment.put("PATH", "/usr/sbin:/usr/bin:/sbin:/bin");
        environment.put(
                "CNI_ARGS",
                "IgnoreUnknown=1;K8S_POD_NAMESPACE=shop;K8S_POD_NAME="
                        + podName
                        + ";K8S_POD_INFRA_CONTAINER_ID="
                        + containerId
                        + ";K8S_POD_UID="
                        + UUID.nameUUIDFromBytes(podName.getBytes(StandardCharsets.UTF_8)));
        environment.put("PODLEDGER_SOCKET", node.runDir().resolve("cni.sock").toString());
        environment.put("PODLEDGER_SPOOL", node.spool().toString());
        environment.putAll(changes);
        environment.values().removeIf(String::isEmpty);
        return environment;
    }

    JsonNode add() {
        return json(call("ADD").ok().out());
    }

    void del() {
        call("DEL").ok();
    }

    /// The one address of an ADD that works.
    String address() {
        return addresses(add()).getFirst();
    }

    /// An ADD that is refused: the CNI error.
    JsonNode refused() {
        Shell.Result result = call("ADD");
        if (result.exit() == 0) {
            throw new AssertionError("the ADD was not refused: " + result.out());
        }
        return json(result.out());
    }

    /// Another container by the same name: its namespace is another one.
    void anotherNamespace() {
        close();
        Shell.run("ip", "netns", "add", namespace).ok();
    }

    /// DEL as the runtime repeats it: without a namespace.
    Shell.Result delWithoutNamespace() {
        return call("DEL", "eth0", config("podledger"), Map.of("CNI_NETNS", ""));
    }

    static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new AssertionError("not JSON: " + text, e);
        }
    }

    /// Addresses of a result, without their prefix lengths.
    static List<String> addresses(JsonNode result) {
        List<String> addresses = new ArrayList<>();
        result.path("ips")
                .forEach(ip -> addresses.add(ip.path("address").asText().split("/", 2)[0]));
        return addresses;
    }

    Shell.Result exec(String... command) {
        List<String> whole = new ArrayList<>(List.of("ip", "netns", "exec", namespace));
        whole.addAll(List.of(command));
        return Shell.run(whole.toArray(String[]::new));
    }

    boolean reaches(String address) {
        return exec("ping", "-c1", "-W2", "-q", address).exit() == 0;
    }

    /// The namespace goes, and with it the container's end of everything.
    @Override
    public void close() {
        Shell.run("ip", "netns", "del", namespace);
    }
}
