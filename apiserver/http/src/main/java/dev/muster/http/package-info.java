/**
 * What the rest of the server knows of HTTP: a {@link HttpHandler} is given an {@link HttpExchange}
 * when the headers of a request are there, and answers with an {@link HttpAnswer} or an {@link
 * HttpStream} of {@link Pieces}. Nothing here knows a socket or any other package of the server.
 */
@NullMarked
package dev.muster.http;

import org.jspecify.annotations.NullMarked;
