/** One request: what came in, what it says, and what is collected for its answer. */
@NullMarked
package dev.muster.server.request;

import org.jspecify.annotations.NullMarked;
