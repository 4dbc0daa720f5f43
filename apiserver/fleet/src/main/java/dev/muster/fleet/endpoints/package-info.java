/** The endpoints of the {@code kubernetes} Service: where the fleet's servers are reached. */
@NullMarked
package dev.muster.fleet.endpoints;

import org.jspecify.annotations.NullMarked;
