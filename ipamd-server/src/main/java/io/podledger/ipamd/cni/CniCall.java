package io.podledger.ipamd.cni;

import io.podledger.projections.Attachment;
import io.podledger.projections.Pod;
import java.util.Optional;

/// A call that was understood.
sealed interface CniCall {
    /// @param runtimeManaged K8S_POD_INFRA_CONTAINER_ID was among the arguments
    /// @param netnsPath CNI_NETNS, shown in the result and nowhere opened
    record Add(
            Attachment attachment,
            Optional<Pod> pod,
            boolean runtimeManaged,
            String netnsPath,
            CniConfig config)
            implements CniCall {}

    record Del(Attachment attachment, Optional<Pod> pod, CniConfig config) implements CniCall {}

    record Check(Attachment attachment, CniConfig config) implements CniCall {}

    record Status() implements CniCall {}

    record Version() implements CniCall {}
}
