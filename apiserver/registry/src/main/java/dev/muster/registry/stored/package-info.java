/** Decodes stored values of any server, and encodes those of this one. */
@NullMarked
package dev.muster.registry.stored;

import org.jspecify.annotations.NullMarked;
