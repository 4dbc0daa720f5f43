/** Several versions of one resource, through the one that is stored. */
@NullMarked
package dev.muster.types.conversion;

import org.jspecify.annotations.NullMarked;
