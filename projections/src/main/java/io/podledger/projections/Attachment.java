package io.podledger.projections;

/// One interface of one container in one network: what CNI adds and deletes.
///
/// @param network the configuration's `name`
/// @param containerId `CNI_CONTAINERID`, for a pod the sandbox's ID
/// @param ifName `CNI_IFNAME`, at most 15 bytes
public record Attachment(String network, String containerId, String ifName) {
    /// The attachment as one word: none of the three parts can hold a `/`.
    public String key() {
        return network + "/" + containerId + "/" + ifName;
    }
}
