/**
 * What one client, and all clients together, may take of the server: the limits as they are set,
 * the memory that bodies and answers share, and the counters that say what came of it. Knows {@code
 * server.http} only.
 */
@NullMarked
package dev.muster.http.limits;

import org.jspecify.annotations.NullMarked;
