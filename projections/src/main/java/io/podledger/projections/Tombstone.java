package io.podledger.projections;

/// An attachment that was released: a DEL for it is a repeated one.
///
/// @param number the place of its reservation in the order of reservations
/// @param hash made once, since a tombstone comes and goes with every pod
record Tombstone(
        Attachment attachment, String hostDevice, long releasedMillis, long number, long hash)
        implements Hashed {
    Tombstone(Attachment attachment, String hostDevice, long releasedMillis, long number) {
        this(
                attachment,
                hostDevice,
                releasedMillis,
                number,
                hash(attachment, hostDevice, releasedMillis, number));
    }

    private static long hash(
            Attachment attachment, String hostDevice, long releasedMillis, long number) {
        long hash = StateHash.with(StateHash.TOMBSTONE, attachment);
        hash = StateHash.with(StateHash.with(hash, hostDevice), releasedMillis);
        return StateHash.with(hash, number);
    }
}
