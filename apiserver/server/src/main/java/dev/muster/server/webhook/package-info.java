/** The webhook client: pooled, verified and limited connections. */
@NullMarked
package dev.muster.server.webhook;

import org.jspecify.annotations.NullMarked;
