package io.podledger.projections;

/// One interface of one container in one network: what CNI adds and deletes.
///
/// @param network the configuration's `name`, at most 1,024 bytes
/// @param containerId `CNI_CONTAINERID`, for a pod the sandbox's ID, at most 1,024 bytes
/// @param ifName `CNI_IFNAME`, at most 15 bytes
public record Attachment(String network, String containerId, String ifName) {
    /// IFNAMSIZ without its final zero.
    public static final int IF_NAME_BYTES_MAX = 15;

    /// @throws IllegalArgumentException if a part is longer than its bound
    public Attachment {
        Texts.bounded("the network's name", network, Texts.NAME_BYTES_MAX);
        Texts.bounded("the container ID", containerId, Texts.NAME_BYTES_MAX);
        Texts.bounded("the interface name", ifName, IF_NAME_BYTES_MAX);
    }

    // Every fact is looked up by its attachment, and what a record gets by itself is slower.

    @Override
    public boolean equals(Object other) {
        return other instanceof Attachment(String n, String c, String i)
                && containerId.equals(c)
                && ifName.equals(i)
                && network.equals(n);
    }

    @Override
    public int hashCode() {
        return (containerId.hashCode() * 31 + ifName.hashCode()) * 31 + network.hashCode();
    }

    /// The attachment as one word: none of the three parts can hold a `/`.
    public String key() {
        return network + "/" + containerId + "/" + ifName;
    }
}
