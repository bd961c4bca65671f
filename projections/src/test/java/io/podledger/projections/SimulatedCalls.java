package io.podledger.projections;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// What a runtime may ask, by chance.
final class SimulatedCalls {
    private static final int PODS = 4;
    private static final int INODES = 1_000;

    private final Random random;
    private int ids;

    SimulatedCalls(Random random) {
        this.random = random;
    }

    /// An ADD of a container that was never seen, of one of few pods or of none.
    Command.Add add(String boot) {
        String id = "s" + ids++;
        boolean routed = random.nextInt(4) > 0;
        return new Command.Add(
                World.attachment(id),
                random.nextInt(5) == 0 ? Optional.empty() : World.pod("p" + random.nextInt(PODS)),
                true,
                routed ? Mode.ROUTED : Mode.IPAM,
                routed ? namespace(boot) : NamespaceIdentity.NONE,
                "",
                routed ? World.device(id) : "",
                1_500);
    }

    Command.Add elsewhere(Command.Add add, String boot) {
        return new Command.Add(
                add.attachment(),
                add.pod(),
                true,
                add.mode(),
                namespace(boot),
                "",
                add.hostDevice(),
                1_500);
    }

    private NamespaceIdentity namespace(String boot) {
        return new NamespaceIdentity(4, random.nextInt(INODES), boot);
    }

    static Command.Del del(Command.Add add, Optional<Command.SpoolTime> spooled) {
        String id = add.attachment().containerId();
        return new Command.Del(add.attachment(), add.pod(), World.device(id), spooled);
    }

    <T> Optional<T> any(Collection<T> things) {
        List<T> list = new ArrayList<>(things);
        return list.isEmpty()
                ? Optional.empty()
                : Optional.of(list.get(random.nextInt(list.size())));
    }
}
