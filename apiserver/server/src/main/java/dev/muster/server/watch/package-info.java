/** Watches: cursors of the replica turned into streams of the connections. */
@NullMarked
package dev.muster.server.watch;

import org.jspecify.annotations.NullMarked;
