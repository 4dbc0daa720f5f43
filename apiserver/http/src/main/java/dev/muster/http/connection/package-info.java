/**
 * One connection, whatever its protocol: its socket, its outbound buffer, and the reading speed of
 * its client. Uses only {@code http} and {@code limits}; each protocol implements {@link Session}.
 */
@NullMarked
package dev.muster.http.connection;

import org.jspecify.annotations.NullMarked;
