/** Converts built-in resources between their versions, by way of the stored version. */
@NullMarked
package dev.muster.types.conversion;

import org.jspecify.annotations.NullMarked;
