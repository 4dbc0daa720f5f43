/** Requests for resources that only peers serve. */
@NullMarked
package dev.muster.server.peers;

import org.jspecify.annotations.NullMarked;
