/** A request that fails, and the {@code Status} that says so. */
@NullMarked
package dev.muster.model.status;

import org.jspecify.annotations.NullMarked;
