/**
 * HTTP/1.1, and the WebSockets and tunnels that its connections can become. {@link Http1Session} is
 * the entry point. Uses {@code exchange}, {@code connection}, {@code limits} and {@code
 * server.http}, not HTTP/2.
 */
@NullMarked
package dev.muster.http.http1;

import org.jspecify.annotations.NullMarked;
