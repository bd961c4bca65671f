@NullMarked
package io.podledger.ipamd.main;

import org.jspecify.annotations.NullMarked;
