package io.podledger.journal;

/// Keeps Chronicle from talking: to the internet, to the console, and about the disk.
final class Chronicle {
    static {
        // Posts usage to the internet. The artifact is banned from the class path as well.
        System.setProperty("chronicle.analytics.disable", "true");
        // A banner on the console.
        System.setProperty("chronicle.announcer.disable", "true");
        // A thread that watches free space; our segments have theirs before they are used.
        System.setProperty("chronicle.disk.monitor.disable", "true");
    }

    private Chronicle() {}

    /// To be called before the first use of Chronicle.
    static void quiet() {}
}
