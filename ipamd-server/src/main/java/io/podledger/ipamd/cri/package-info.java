/// The container runtime as a witness: its sandboxes over the Container Runtime Interface.
@NullMarked
package io.podledger.ipamd.cri;

import org.jspecify.annotations.NullMarked;
