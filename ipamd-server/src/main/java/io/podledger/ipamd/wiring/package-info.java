@NullMarked
package io.podledger.ipamd.wiring;

import org.jspecify.annotations.NullMarked;
