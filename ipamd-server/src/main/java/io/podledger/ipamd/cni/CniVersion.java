package io.podledger.ipamd.cni;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/// The specification's versions that are served, oldest first.
public enum CniVersion {
    V0_3_1("0.3.1"),
    V0_4_0("0.4.0"),
    V1_0_0("1.0.0"),
    V1_1_0("1.1.0");

    private final String text;

    CniVersion(String text) {
        this.text = text;
    }

    static Optional<CniVersion> of(String text) {
        return Arrays.stream(values()).filter(version -> version.text.equals(text)).findAny();
    }

    static String list() {
        return Arrays.stream(values()).map(CniVersion::text).collect(Collectors.joining(", "));
    }

    String text() {
        return text;
    }

    boolean atLeast(CniVersion other) {
        return compareTo(other) >= 0;
    }
}
