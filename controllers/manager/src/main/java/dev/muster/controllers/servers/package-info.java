/** The collector of expired identity Leases of API servers. */
@NullMarked
package dev.muster.controllers.servers;

import org.jspecify.annotations.NullMarked;
