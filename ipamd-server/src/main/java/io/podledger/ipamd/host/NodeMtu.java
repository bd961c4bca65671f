package io.podledger.ipamd.host;

import java.io.IOException;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The MTU of the interface that the node's default route leaves by.
public final class NodeMtu {
    /// Where the node has no default route: what Ethernet has.
    private static final int ETHERNET_BYTES = 1_500;

    private static final Logger LOG = LoggerFactory.getLogger(NodeMtu.class);

    private NodeMtu() {}

    /// MTU in bytes.
    public static int read() {
        try {
            List<String> routes = Files.readAllLines(Path.of("/proc/net/route"));
            for (String route : routes) {
                String[] columns = route.split("\\s+", -1);
                if (columns.length > 7
                        && columns[1].equals("00000000")
                        && columns[7].equals("00000000")) {
                    NetworkInterface device = NetworkInterface.getByName(columns[0]);
                    return device == null ? ETHERNET_BYTES : device.getMTU();
                }
            }
        } catch (IOException e) {
            LOG.warn("the node's MTU cannot be read: {}", e.toString());
        }
        return ETHERNET_BYTES;
    }
}
