/** How much of a namespace's quota objects take. */
@NullMarked
package dev.muster.model.quota;

import org.jspecify.annotations.NullMarked;
