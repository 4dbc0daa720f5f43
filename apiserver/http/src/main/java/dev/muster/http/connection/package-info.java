/**
 * One connection, whatever it speaks: its socket, what it gathers before it sends, how fast its
 * client reads. Knows {@code http} and {@code limits}; protocols are {@link Session}s to it.
 */
@NullMarked
package dev.muster.http.connection;

import org.jspecify.annotations.NullMarked;
