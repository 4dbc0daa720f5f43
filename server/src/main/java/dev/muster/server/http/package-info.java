/** Listeners, TLS, HTTP/1.1 and HTTP/2: sockets on one side, {@link HttpHandler} on the other. */
@NullMarked
package dev.muster.server.http;

import org.jspecify.annotations.NullMarked;
