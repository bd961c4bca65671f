package io.podledger.ipamd.cni;

/// A CNI error as the runtime reads it.
///
/// @param code the specification's codes, or one of ours from 100 on
/// @param message one line; never the words "not found", which a runtime takes for success of a DEL
/// @param details what to do about it, may be empty
public record CniError(int code, String message, String details) {
    public static final int VERSION = 1;
    public static final int UNSUPPORTED_FIELD = 2;
    public static final int ENVIRONMENT = 4;
    public static final int DECODE = 6;
    public static final int CONFIGURATION = 7;
    public static final int NAMESPACE = 8;
    public static final int TRY_AGAIN = 11;
    public static final int CANNOT_ADD = 50;

    /// A DEL for this attachment came before its ADD.
    public static final int FENCED = 100;

    /// CHECK found something missing or wrong.
    public static final int CHECK_FAILED = 101;

    public static CniError environment(String message) {
        return new CniError(
                ENVIRONMENT, message, "the runtime sets the CNI_ variables of each call");
    }

    public static CniError configuration(String key, String message) {
        return new CniError(
                CONFIGURATION,
                "'" + key + "' " + message,
                "see the plugin's configuration on stdin");
    }

    public static CniError tryAgain(String message) {
        return new CniError(TRY_AGAIN, message, "");
    }

    /// At most 64 characters, none of them a control character: fit for a message or a log line.
    static String printable(String text) {
        String shown = text.length() <= 64 ? text : text.substring(0, 64) + "…";
        return shown.replaceAll("\\p{Cntrl}", "?");
    }
}
