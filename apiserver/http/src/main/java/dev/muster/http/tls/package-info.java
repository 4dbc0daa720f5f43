/**
 * TLS: which certificate a client sees, whatever changes while the server runs, and whom it asks
 * for theirs. Knows no other package of the server.
 */
@NullMarked
package dev.muster.http.tls;

import org.jspecify.annotations.NullMarked;
