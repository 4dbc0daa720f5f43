/** The structure of kinds: built-in ones, Muster's own, and legacy versions. */
@NullMarked
package dev.muster.schema;

import org.jspecify.annotations.NullMarked;
