/** Watches: they turn cursors of the replica into streams of the connections. */
@NullMarked
package dev.muster.server.watch;

import org.jspecify.annotations.NullMarked;
