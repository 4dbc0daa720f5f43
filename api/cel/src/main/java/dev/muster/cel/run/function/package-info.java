/** Implements the functions of the language, one class for each topic. */
@NullMarked
package dev.muster.cel.run.function;

import org.jspecify.annotations.NullMarked;
