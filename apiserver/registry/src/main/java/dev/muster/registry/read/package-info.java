/** Chooses the snapshot of a read and the objects that it returns. */
@NullMarked
package dev.muster.registry.read;

import org.jspecify.annotations.NullMarked;
