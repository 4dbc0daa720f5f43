/**
 * Accepting connections: {@link HttpServer} listens, strangers make room for one another, TLS and a
 * protocol take over, and what takes too long ends. Knows both protocols, {@code connection},
 * {@code tls}, {@code limits} and {@code http}; none of them knows this one.
 */
@NullMarked
package dev.muster.http.listen;

import org.jspecify.annotations.NullMarked;
