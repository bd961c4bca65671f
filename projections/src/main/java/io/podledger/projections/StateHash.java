package io.podledger.projections;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// The state hash: the sum of the hashes of all entries, so that a change costs the entry that
/// changed and no more. It finds mistakes and rot; it is no defence against someone who forges.
final class StateHash {
    /// What an entry is, as the start of its hash. These are the types of the snapshot's entries.
    static final int HEAD = 176;

    static final int RANGE = 177;
    static final int LEASE = 178;
    static final int RESTING = 179;
    static final int SUSPECT = 180;
    static final int TOMBSTONE = 181;
    static final int FENCE = 182;
    static final int NOTE = 183;
    static final int SANDBOX = 185;

    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /// 2^64 divided by the golden ratio, made odd.
    private static final long ODD = 0x9e3779b97f4a7c15L;

    private long sum;

    void add(Hashed entry) {
        sum += entry.hash();
    }

    void remove(Hashed entry) {
        sum -= entry.hash();
    }

    long sum() {
        return sum;
    }

    static long with(long hash, long value) {
        return mixed(hash * ODD + value);
    }

    /// The text's UTF-8 in words of eight bytes, the last filled up with zeros, and its length.
    static long with(long hash, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        long result = with(hash, bytes.length);
        int whole = bytes.length & -Long.BYTES;
        for (int i = 0; i < whole; i += Long.BYTES) {
            result = Long.rotateLeft(result ^ (long) WORDS.get(bytes, i), 29) * ODD;
        }
        long rest = 0;
        for (int i = whole; i < bytes.length; i++) {
            rest = rest << 8 | (bytes[i] & 0xff);
        }
        return with(result, rest);
    }

    static long with(long hash, IpAddress address) {
        return with(with(with(hash, address.bits()), address.high()), address.low());
    }

    static long with(long hash, Attachment attachment) {
        long network = with(hash, attachment.network());
        return with(with(network, attachment.containerId()), attachment.ifName());
    }

    /// The finishing step of SplitMix64: every bit of the value reaches every bit of the result.
    private static long mixed(long value) {
        long a = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        long b = (a ^ (a >>> 27)) * 0x94d049bb133111ebL;
        return b ^ (b >>> 31);
    }
}
