@NullMarked
package io.podledger.ipamd.cni;

import org.jspecify.annotations.NullMarked;
