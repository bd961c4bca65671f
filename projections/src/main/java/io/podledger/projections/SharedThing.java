package io.podledger.projections;

/// What the sandboxes of one pod share: a host device, and the addresses that lead to it. One
/// sandbox owns it at a time, the one whose ADD stands latest, and only the owner's DEL takes it
/// down. The addresses are among the owner's holdings; every other sandbox of the pod holds none.
///
/// @param device name of the shared host device; empty where nothing is shared
/// @param owned whether the attachment that this is said of owns it
public record SharedThing(String device, boolean owned) {
    /// Nothing is shared: the attachment holds what is its own alone.
    public static final SharedThing NONE = new SharedThing("", false);

    /// @throws IllegalArgumentException if the name is longer than its bound, or nothing is owned
    public SharedThing {
        Texts.bounded("the shared device", device, Attachment.IF_NAME_BYTES_MAX);
        if (owned && device.isEmpty()) {
            throw new IllegalArgumentException("a shared thing without a device has no owner");
        }
    }

    public boolean exists() {
        return !device.isEmpty();
    }

    /// A share in a thing that another sandbox owns.
    public boolean lost() {
        return exists() && !owned;
    }
}
