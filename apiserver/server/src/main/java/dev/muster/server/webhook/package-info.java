/** How reviews get to webhooks: pooled connections, verified and bounded. */
@NullMarked
package dev.muster.server.webhook;

import org.jspecify.annotations.NullMarked;
