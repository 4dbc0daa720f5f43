/** How a server comes up: what it serves, under which names, and what it makes in a new cluster. */
@NullMarked
package dev.muster.server.start;

import org.jspecify.annotations.NullMarked;
