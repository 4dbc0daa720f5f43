/** Requests for what only other servers of the fleet serve. */
@NullMarked
package dev.muster.server.peers;

import org.jspecify.annotations.NullMarked;
