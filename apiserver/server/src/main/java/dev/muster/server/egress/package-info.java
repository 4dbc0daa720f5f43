/** Outgoing connections: directly, or through the proxy of an egress selector. */
@NullMarked
package dev.muster.server.egress;

import org.jspecify.annotations.NullMarked;
