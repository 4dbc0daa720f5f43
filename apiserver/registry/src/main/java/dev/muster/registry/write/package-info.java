/** One handler per verb that changes something. */
@NullMarked
package dev.muster.registry.write;

import org.jspecify.annotations.NullMarked;
