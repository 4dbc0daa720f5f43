/** The way of every request, from the connection to its route. */
@NullMarked
package dev.muster.server.chain;

import org.jspecify.annotations.NullMarked;
