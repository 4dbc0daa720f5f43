/** Which of several processes works: the one that holds a Lease. */
@NullMarked
package dev.muster.controllers.election;

import org.jspecify.annotations.NullMarked;
