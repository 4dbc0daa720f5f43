/**
 * Accepting connections. {@link HttpServer} listens, limits unauthenticated connections, installs
 * TLS and a protocol, and ends connections that take too long. Uses both protocols, {@code
 * connection}, {@code tls}, {@code limits} and {@code http}; none of them uses this package.
 */
@NullMarked
package dev.muster.http.listen;

import org.jspecify.annotations.NullMarked;
