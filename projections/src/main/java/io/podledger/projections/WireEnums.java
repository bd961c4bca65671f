package io.podledger.projections;

import com.google.protobuf.ProtocolMessageEnum;
import io.podledger.projections.wire.Cause;
import io.podledger.projections.wire.Condition;
import io.podledger.projections.wire.LeaseEntry.Progress;
import io.podledger.projections.wire.LeaseMode;
import io.podledger.projections.wire.RefusalReason;
import io.podledger.projections.wire.Source;
import io.podledger.projections.wire.Verdict;

/// Our words as the messages' words and back.
final class WireEnums {
    private WireEnums() {}

    static LeaseMode mode(Mode mode) {
        return switch (mode) {
            case ROUTED -> LeaseMode.MODE_ROUTED;
            case IPAM -> LeaseMode.MODE_IPAM;
        };
    }

    static Mode mode(LeaseMode mode) {
        return switch (mode) {
            case MODE_ROUTED -> Mode.ROUTED;
            case MODE_IPAM -> Mode.IPAM;
            case MODE_UNSPECIFIED, UNRECOGNIZED -> throw unknown(mode);
        };
    }

    static RefusalReason reason(Refusal reason) {
        return switch (reason) {
            case POOL_EMPTY -> RefusalReason.REFUSAL_POOL_EMPTY;
            case FENCED -> RefusalReason.REFUSAL_FENCED;
            case RELEASING -> RefusalReason.REFUSAL_RELEASING;
            case LEDGER_FULL -> RefusalReason.REFUSAL_LEDGER_FULL;
            case MODE_CHANGED -> RefusalReason.REFUSAL_MODE_CHANGED;
            case SUSPECTED -> RefusalReason.REFUSAL_SUSPECTED;
            case NOT_OWNER -> RefusalReason.REFUSAL_NOT_OWNER;
            case NOT_REPAIRED -> RefusalReason.REFUSAL_NOT_REPAIRED;
            case POOL_INVALID -> RefusalReason.REFUSAL_POOL_INVALID;
        };
    }

    static Refusal reason(RefusalReason reason) {
        return switch (reason) {
            case REFUSAL_POOL_EMPTY -> Refusal.POOL_EMPTY;
            case REFUSAL_FENCED -> Refusal.FENCED;
            case REFUSAL_RELEASING -> Refusal.RELEASING;
            case REFUSAL_LEDGER_FULL -> Refusal.LEDGER_FULL;
            case REFUSAL_MODE_CHANGED -> Refusal.MODE_CHANGED;
            case REFUSAL_SUSPECTED -> Refusal.SUSPECTED;
            case REFUSAL_NOT_OWNER -> Refusal.NOT_OWNER;
            case REFUSAL_NOT_REPAIRED -> Refusal.NOT_REPAIRED;
            case REFUSAL_POOL_INVALID -> Refusal.POOL_INVALID;
            case REFUSAL_UNSPECIFIED, UNRECOGNIZED -> throw unknown(reason);
        };
    }

    static Verdict verdict(DelVerdict verdict) {
        return switch (verdict) {
            case RELEASING -> Verdict.VERDICT_RELEASING;
            case REPEATED -> Verdict.VERDICT_REPEATED;
            case UNKNOWN -> Verdict.VERDICT_UNKNOWN;
            case STALE -> Verdict.VERDICT_STALE;
        };
    }

    static DelVerdict verdict(Verdict verdict) {
        return switch (verdict) {
            case VERDICT_RELEASING -> DelVerdict.RELEASING;
            case VERDICT_REPEATED -> DelVerdict.REPEATED;
            case VERDICT_UNKNOWN -> DelVerdict.UNKNOWN;
            case VERDICT_STALE -> DelVerdict.STALE;
            case VERDICT_UNSPECIFIED, UNRECOGNIZED -> throw unknown(verdict);
        };
    }

    static Cause cause(ReleaseCause cause) {
        return switch (cause) {
            case DEL -> Cause.CAUSE_DEL;
            case WIRING_FAILED -> Cause.CAUSE_WIRING_FAILED;
            case ABANDONED -> Cause.CAUSE_ABANDONED;
            case SWEPT -> Cause.CAUSE_SWEPT;
        };
    }

    static ReleaseCause cause(Cause cause) {
        return switch (cause) {
            case CAUSE_DEL -> ReleaseCause.DEL;
            case CAUSE_WIRING_FAILED -> ReleaseCause.WIRING_FAILED;
            case CAUSE_ABANDONED -> ReleaseCause.ABANDONED;
            case CAUSE_SWEPT -> ReleaseCause.SWEPT;
            case CAUSE_UNSPECIFIED, UNRECOGNIZED -> throw unknown(cause);
        };
    }

    static Progress progress(LeaseState state) {
        return switch (state) {
            case RESERVED -> Progress.PROGRESS_RESERVED;
            case WIRED -> Progress.PROGRESS_WIRED;
            case RELEASING -> Progress.PROGRESS_RELEASING;
        };
    }

    static LeaseState state(Progress progress) {
        return switch (progress) {
            case PROGRESS_RESERVED -> LeaseState.RESERVED;
            case PROGRESS_WIRED -> LeaseState.WIRED;
            case PROGRESS_RELEASING -> LeaseState.RELEASING;
            case PROGRESS_UNSPECIFIED, UNRECOGNIZED -> throw unknown(progress);
        };
    }

    static Condition condition(SandboxState state) {
        return switch (state) {
            case READY -> Condition.CONDITION_READY;
            case NOT_READY -> Condition.CONDITION_NOT_READY;
        };
    }

    static SandboxState state(Condition condition) {
        return switch (condition) {
            case CONDITION_READY -> SandboxState.READY;
            case CONDITION_NOT_READY -> SandboxState.NOT_READY;
            case CONDITION_UNSPECIFIED, UNRECOGNIZED -> throw unknown(condition);
        };
    }

    static Source source(SandboxSource source) {
        return switch (source) {
            case LIST -> Source.SOURCE_LIST;
            case STATUS -> Source.SOURCE_STATUS;
        };
    }

    static SandboxSource source(Source source) {
        return switch (source) {
            case SOURCE_LIST -> SandboxSource.LIST;
            case SOURCE_STATUS -> SandboxSource.STATUS;
            case SOURCE_UNSPECIFIED, UNRECOGNIZED -> throw unknown(source);
        };
    }

    private static IllegalArgumentException unknown(ProtocolMessageEnum word) {
        String kind = word.getClass().getSimpleName();
        return new IllegalArgumentException("the " + kind + " of a record is unknown or missing");
    }
}
