@NullMarked
package io.podledger.ipamd.writer;

import org.jspecify.annotations.NullMarked;
