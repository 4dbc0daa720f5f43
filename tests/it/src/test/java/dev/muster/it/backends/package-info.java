/** Webhooks and API servers behind this one, and what clients notice of them. */
@NullMarked
package dev.muster.it.backends;

import org.jspecify.annotations.NullMarked;
