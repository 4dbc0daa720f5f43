/** What the servers of a fleet serve for one another. */
@NullMarked
package dev.muster.fleet.peers;

import org.jspecify.annotations.NullMarked;
