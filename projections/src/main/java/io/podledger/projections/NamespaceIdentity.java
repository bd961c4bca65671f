package io.podledger.projections;

/// Which network namespace a descriptor led to. Paths are recycled; this is not, within one boot.
///
/// @param device st_dev of the nsfs file
/// @param inode st_ino of the nsfs file
/// @param bootId the boot in which the two mean something
public record NamespaceIdentity(long device, long inode, String bootId) {
    /// No namespace was given.
    public static final NamespaceIdentity NONE = new NamespaceIdentity(0, 0, "");
}
