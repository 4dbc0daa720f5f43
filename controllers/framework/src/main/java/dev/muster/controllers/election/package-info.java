/** Leader election by Lease. */
@NullMarked
package dev.muster.controllers.election;

import org.jspecify.annotations.NullMarked;
