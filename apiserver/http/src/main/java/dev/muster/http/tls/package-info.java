/**
 * TLS: the server's certificates, which may change while it runs, and the request for client
 * certificates. Uses no other package of the server.
 */
@NullMarked
package dev.muster.http.tls;

import org.jspecify.annotations.NullMarked;
