/** The identity of this server, and the identities of all servers of the fleet. */
@NullMarked
package dev.muster.fleet.identity;

import org.jspecify.annotations.NullMarked;
