/**
 * Accepting connections: {@link HttpServer} listens, strangers make room for one another, TLS and a
 * protocol take over, and what takes too long ends. Knows both protocols, {@code connection},
 * {@code tls}, {@code limits} and {@code server.http}; none of them knows this one.
 */
@NullMarked
package dev.muster.server.http.listen;

import org.jspecify.annotations.NullMarked;
