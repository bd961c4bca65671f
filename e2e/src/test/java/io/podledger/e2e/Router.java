package io.podledger.e2e;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// What a node's uplink is plugged into: a namespace with the other end of a veth pair.
///
/// @param subnet the first three numbers of the /24 between them: the router is .1, the node .2
record Router(Node node, String uplink, String subnet) implements AutoCloseable {
    Router {
        String name = node.name() + "-" + uplink;
        Shell.run("ip", "netns", "add", name).ok();
        Shell.run(
                        "ip",
                        "link",
                        "add",
                        uplink,
                        "netns",
                        node.name(),
                        "type",
                        "veth",
                        "peer",
                        "name",
                        "node",
                        "netns",
                        name)
                .ok();
        node.ip("addr", "add", subnet + ".2/24", "dev", uplink);
        node.ip("link", "set", uplink, "up");
        Shell.run("ip", "-n", name, "addr", "add", subnet + ".1/24", "dev", "node").ok();
        Shell.run("ip", "-n", name, "link", "set", "node", "up").ok();
        Shell.run("ip", "-n", name, "link", "set", "lo", "up").ok();
    }

    String address() {
        return subnet + ".1";
    }

    /// An address in the world behind it.
    void has(String address) {
        ip("addr", "add", address + "/32", "dev", "lo");
    }

    /// It finds pods at the node.
    void routes(String prefix) {
        ip("route", "add", prefix, "via", subnet + ".2");
    }

    private void ip(String... arguments) {
        exec(Stream.concat(Stream.of("ip"), Arrays.stream(arguments)).toArray(String[]::new)).ok();
    }

    Shell.Result exec(String... command) {
        List<String> whole =
                new ArrayList<>(List.of("ip", "netns", "exec", node.name() + "-" + uplink));
        whole.addAll(List.of(command));
        return Shell.run(whole.toArray(String[]::new));
    }

    @Override
    public void close() {
        Shell.run("ip", "netns", "del", node.name() + "-" + uplink);
    }
}
