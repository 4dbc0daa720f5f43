/**
 * The HTTP interface of the server. A {@link HttpHandler} receives an {@link HttpExchange} when the
 * headers of a request have arrived, and answers with a {@link ServerResponse} or an {@link
 * HttpStream} of {@link SharedBytes}. This package uses no socket and no other package of the
 * server.
 */
@NullMarked
package dev.muster.http;

import org.jspecify.annotations.NullMarked;
