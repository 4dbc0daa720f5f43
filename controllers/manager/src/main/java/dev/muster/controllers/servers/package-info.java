/** The API servers of the fleet, as controllers see them. */
@NullMarked
package dev.muster.controllers.servers;

import org.jspecify.annotations.NullMarked;
