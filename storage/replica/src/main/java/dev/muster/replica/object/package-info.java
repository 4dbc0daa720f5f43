/** Stored objects: their bytes, other encodings, and the values by which they are selected. */
@NullMarked
package dev.muster.replica.object;

import org.jspecify.annotations.NullMarked;
