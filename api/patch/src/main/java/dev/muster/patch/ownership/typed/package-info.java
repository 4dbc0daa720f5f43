/** Compares, merges and prunes objects along the structure of their kind. */
@NullMarked
package dev.muster.patch.ownership.typed;

import org.jspecify.annotations.NullMarked;
