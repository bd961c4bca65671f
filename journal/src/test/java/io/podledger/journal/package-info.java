@NullMarked
package io.podledger.journal;

import org.jspecify.annotations.NullMarked;
