/// Figures beside their floors, measured in one run.
@NullMarked
package io.podledger.benchmarks;

import org.jspecify.annotations.NullMarked;
