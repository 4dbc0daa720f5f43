/** The fleet: all API servers of one cluster, and what they publish for one another. */
@NullMarked
package dev.muster.fleet;

import org.jspecify.annotations.NullMarked;
