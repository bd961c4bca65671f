package io.podledger.e2e;

import java.util.List;

/// Kills a process with -9 at a system call that is about to be made.
///
/// @param call name of the system call
/// @param number which one of a thread's calls of that name, from 1 on
record Strace(String call, int number) {
    static Strace killAt(String call, int number) {
        Tools.need("strace", "strace");
        return new Strace(call, number);
    }

    /// What a command is given to. It runs as the tracer's child.
    List<String> before() {
        return List.of(
                "strace",
                "-f",
                "-qqq",
                "-o",
                "/dev/null",
                "-e",
                "trace=" + call,
                "-e",
                "inject=" + call + ":signal=SIGKILL:when=" + number);
    }

    /// Starts the daemon and waits until it was killed, or is ready and then is killed.
    ///
    /// @return whether it was killed at the call
    boolean start(Node node, String... options) {
        node.spawn(before(), options);
        Await.until(
                Node.START_BOUND,
                () -> "ready or killed: " + node.logged(),
                () -> node.ready() || !node.running());
        if (node.running()) {
            node.kill();
            return false;
        }
        return true;
    }
}
