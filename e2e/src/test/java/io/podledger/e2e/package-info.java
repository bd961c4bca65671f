/// What holds between the modules, and for the house as a whole.
@NullMarked
package io.podledger.e2e;

import org.jspecify.annotations.NullMarked;
