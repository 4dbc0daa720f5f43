/** The endpoints of the {@code kubernetes} Service, which lead to the fleet's API servers. */
@NullMarked
package dev.muster.fleet.endpoints;

import org.jspecify.annotations.NullMarked;
