package io.podledger.projections;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/// What the runtime of a simulated node knows, and what it says of its sandboxes: its lists lack
/// some that live and have some that are dead, and asked for one it tells the truth.
final class SimulatedRuntime {
    private final Random random;

    /// What ADDs were answered with that no DEL followed.
    final Map<Command.Add, Set<IpAddress>> promised = new LinkedHashMap<>();

    final List<Command.Add> everAdded = new ArrayList<>();
    final Map<Attachment, Command.Add> waiting = new HashMap<>();
    private long lists;

    SimulatedRuntime(Random random) {
        this.random = random;
    }

    boolean alive(Attachment attachment) {
        return waiting.containsKey(attachment)
                || promised.keySet().stream().anyMatch(a -> a.attachment().equals(attachment));
    }

    Command list(LedgerView ledger) {
        List<Attachment> listed = new ArrayList<>();
        for (Command.Add add : everAdded) {
            if (random.nextInt(10) > (alive(add.attachment()) ? 0 : 7)) {
                listed.add(add.attachment());
            }
        }
        return list(ledger, listed);
    }

    Command listOfTheLiving(LedgerView ledger) {
        return list(
                ledger,
                everAdded.stream().map(Command.Add::attachment).filter(this::alive).toList());
    }

    private Command list(LedgerView ledger, List<Attachment> listed) {
        lists = Math.max(lists, ledger.lists()) + 1;
        return new Command.SandboxesListed(
                lists, listed.stream().map(SimulatedRuntime::sandbox).toList());
    }

    /// Its word on one that its lists lacked, as the daemon hands it in.
    Command asked(Attachment attachment) {
        String id = attachment.containerId();
        return alive(attachment)
                ? new Command.SandboxShown(id, Optional.of(sandbox(attachment)), lists)
                : new Command.Sweep(attachment, lists);
    }

    private static Sandbox sandbox(Attachment attachment) {
        String id = attachment.containerId();
        return new Sandbox(id, new Pod("default", id, ""), 0, SandboxState.READY, 0);
    }
}
