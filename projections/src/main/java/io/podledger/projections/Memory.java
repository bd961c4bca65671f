package io.podledger.projections;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// The newest so many things of a kind. What is put again becomes the newest.
final class Memory<K, V extends Hashed> {
    private final LinkedHashMap<K, V> entries = new LinkedHashMap<>();
    private final int max;
    private final StateHash hash;

    Memory(int max, StateHash hash) {
        this.max = max;
        this.hash = hash;
    }

    /// @return what had to go for it, if anything
    Optional<V> put(K key, V value) {
        Optional.ofNullable(entries.putLast(key, value)).ifPresent(hash::remove);
        hash.add(value);
        return entries.size() > max ? removeEldest() : Optional.empty();
    }

    Optional<V> get(K key) {
        return Optional.ofNullable(entries.get(key));
    }

    Optional<V> eldest() {
        return entries.isEmpty() ? Optional.empty() : Optional.of(entries.firstEntry().getValue());
    }

    Optional<V> remove(K key) {
        Optional<V> removed = Optional.ofNullable(entries.remove(key));
        removed.ifPresent(hash::remove);
        return removed;
    }

    Optional<V> removeEldest() {
        Optional<V> removed =
                Optional.ofNullable(entries.pollFirstEntry()).map(Map.Entry::getValue);
        removed.ifPresent(hash::remove);
        return removed;
    }

    void clear() {
        entries.values().forEach(hash::remove);
        entries.clear();
    }

    int size() {
        return entries.size();
    }

    int max() {
        return max;
    }

    /// From the eldest to the newest.
    Collection<V> values() {
        return entries.values();
    }
}
