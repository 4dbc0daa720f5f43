/** Aggregated API servers: their group versions, and the requests forwarded to them. */
@NullMarked
package dev.muster.server.aggregation;

import org.jspecify.annotations.NullMarked;
