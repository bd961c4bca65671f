@NullMarked
package io.podledger.ipamd.host;

import org.jspecify.annotations.NullMarked;
