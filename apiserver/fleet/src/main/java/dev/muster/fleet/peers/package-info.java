/** Forwarding among peers: the resources that each server of the fleet serves, and its address. */
@NullMarked
package dev.muster.fleet.peers;

import org.jspecify.annotations.NullMarked;
