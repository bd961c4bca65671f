@NullMarked
package io.podledger.shim;

import org.jspecify.annotations.NullMarked;
