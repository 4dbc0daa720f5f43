/** Controllers in a world where everything happens in an order that a seed decides. */
@NullMarked
package dev.muster.controllers.simulation;

import org.jspecify.annotations.NullMarked;
