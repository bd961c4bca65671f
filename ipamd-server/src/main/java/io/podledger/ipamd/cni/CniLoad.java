package io.podledger.ipamd.cni;

/// What all connections of the server hold together. Belongs to the server's one thread.
final class CniLoad {
    /// Connections at once, idle ones included; one more is closed at once, and its DEL is spooled.
    static final int CONNECTIONS_MAX = 2_048;

    /// Requests that arrive or wait for their answer, together. One has a few KiB, and 1 MiB at
    /// most.
    static final int BYTES_MAX = 32 << 20;

    private int connections;
    private long bytes;

    /// To be followed by [#closed] in any case.
    ///
    /// @return whether the connection may stay
    boolean opened() {
        connections++;
        return connections <= CONNECTIONS_MAX;
    }

    /// @return whether there is room for them
    boolean received(int more) {
        bytes += more;
        return bytes <= BYTES_MAX;
    }

    /// @param received all that the connection told to [#received]
    void closed(int received) {
        connections--;
        bytes -= received;
    }
}
