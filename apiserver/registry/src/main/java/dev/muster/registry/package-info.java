/** Wires the write handlers of the registry. */
@NullMarked
package dev.muster.registry;

import org.jspecify.annotations.NullMarked;
