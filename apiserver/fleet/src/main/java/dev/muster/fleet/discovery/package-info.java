/** Coordinated discovery: whether all servers of the fleet serve the same APIs. */
@NullMarked
package dev.muster.fleet.discovery;

import org.jspecify.annotations.NullMarked;
