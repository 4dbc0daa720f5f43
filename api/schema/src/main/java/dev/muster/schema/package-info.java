/** The structure of kinds: the built-in ones, Muster's own, and those of former versions. */
@NullMarked
package dev.muster.schema;

import org.jspecify.annotations.NullMarked;
