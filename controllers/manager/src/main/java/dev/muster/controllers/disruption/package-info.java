/** How many pods may be evicted at a time. */
@NullMarked
package dev.muster.controllers.disruption;

import org.jspecify.annotations.NullMarked;
