/** The selectable fields of each resource. */
@NullMarked
package dev.muster.types.select;

import org.jspecify.annotations.NullMarked;
