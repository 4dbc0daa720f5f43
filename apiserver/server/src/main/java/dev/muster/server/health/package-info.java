/** Health checks for liveness and readiness. */
@NullMarked
package dev.muster.server.health;

import org.jspecify.annotations.NullMarked;
