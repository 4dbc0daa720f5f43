/** Several versions of one resource, through the one that is stored. */
@NullMarked
package dev.muster.registry.conversion;

import org.jspecify.annotations.NullMarked;
