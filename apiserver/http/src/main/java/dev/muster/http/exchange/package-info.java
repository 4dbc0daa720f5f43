/**
 * One request and its response, whatever the protocol: reading the body, callbacks at the end, and
 * the production of responses in parts. Uses {@code connection}, {@code compression}, {@code
 * limits} and {@code http}, and no protocol.
 */
@NullMarked
package dev.muster.http.exchange;

import org.jspecify.annotations.NullMarked;
