/**
 * HTTP/2: Netty reads frames, floods of them are counted first, and answers are written straight
 * into the connection's block. {@link Http2Session} is the way in. Knows {@code exchange}, {@code
 * connection}, {@code limits} and {@code http}, not HTTP/1.1.
 */
@NullMarked
package dev.muster.http.http2;

import org.jspecify.annotations.NullMarked;
