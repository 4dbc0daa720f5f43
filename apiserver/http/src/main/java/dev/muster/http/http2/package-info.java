/**
 * HTTP/2. Netty reads frames, {@code FloodGuard} counts them first, and responses are written
 * directly into the connection's buffer. {@link Http2Session} is the entry point. Uses {@code
 * exchange}, {@code connection}, {@code limits} and {@code http}, not HTTP/1.1.
 */
@NullMarked
package dev.muster.http.http2;

import org.jspecify.annotations.NullMarked;
