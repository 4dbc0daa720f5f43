/** The request chain: all steps from the connection to the handler that answers. */
@NullMarked
package dev.muster.server.chain;

import org.jspecify.annotations.NullMarked;
