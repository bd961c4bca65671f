@NullMarked
package io.podledger.ipamd.cri;

import org.jspecify.annotations.NullMarked;
