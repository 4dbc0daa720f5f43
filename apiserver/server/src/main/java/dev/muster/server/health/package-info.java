/** Whether the server lives and is ready, check by check. */
@NullMarked
package dev.muster.server.health;

import org.jspecify.annotations.NullMarked;
