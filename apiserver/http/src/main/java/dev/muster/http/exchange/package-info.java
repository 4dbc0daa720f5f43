/**
 * One request and its answer, whatever the protocol: how the body comes in, who is told of the end,
 * how an answer is made in parts while it is read. Knows {@code connection}, {@code compression},
 * {@code limits} and {@code http}, and no protocol.
 */
@NullMarked
package dev.muster.http.exchange;

import org.jspecify.annotations.NullMarked;
