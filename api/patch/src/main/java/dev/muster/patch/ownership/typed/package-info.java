/** Walks through two objects along the structure of their kind: comparing, merging, removing. */
@NullMarked
package dev.muster.patch.ownership.typed;

import org.jspecify.annotations.NullMarked;
