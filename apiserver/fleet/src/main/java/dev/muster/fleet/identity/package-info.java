/** Who this server is, and which servers there are. */
@NullMarked
package dev.muster.fleet.identity;

import org.jspecify.annotations.NullMarked;
