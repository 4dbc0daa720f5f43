/** What functions do with values: one file for those that a reader looks for together. */
@NullMarked
package dev.muster.cel.run.function;

import org.jspecify.annotations.NullMarked;
