package io.podledger.replay;

import io.podledger.projections.Event;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// The names of facts, as `--type` and the JSON field `type` have them.
final class EventTypes {
    static final List<String> NAMES =
            Arrays.stream(Event.class.getPermittedSubclasses()).map(Class::getSimpleName).toList();

    private EventTypes() {}

    /// The name in its proper case, if there is such a fact.
    static Optional<String> named(String anyCase) {
        return NAMES.stream().filter(anyCase::equalsIgnoreCase).findFirst();
    }
}
