@NullMarked
package io.podledger.replay;

import org.jspecify.annotations.NullMarked;
