/**
 * One request: what the client sent, what the path means, and what is collected for the response.
 */
@NullMarked
package dev.muster.server.request;

import org.jspecify.annotations.NullMarked;
