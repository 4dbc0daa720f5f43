/** Servers that know one another. */
@NullMarked
package dev.muster.fleet;

import org.jspecify.annotations.NullMarked;
