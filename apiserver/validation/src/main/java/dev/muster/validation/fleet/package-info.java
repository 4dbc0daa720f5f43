/** Strategies of kinds about the fleet's servers and stored versions. */
@NullMarked
package dev.muster.validation.fleet;

import org.jspecify.annotations.NullMarked;
