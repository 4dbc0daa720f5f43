/** Errors of requests and their {@code Status}. */
@NullMarked
package dev.muster.model.status;

import org.jspecify.annotations.NullMarked;
