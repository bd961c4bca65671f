@NullMarked
package io.podledger.projections;

import org.jspecify.annotations.NullMarked;
