/** Measures and limits the costs of evaluations. */
@NullMarked
package dev.muster.cel.run.cost;

import org.jspecify.annotations.NullMarked;
