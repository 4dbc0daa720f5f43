/** How authorizers are configured, put together, reloaded, and asked over HTTPS. */
@NullMarked
package dev.muster.access.authorization;

import org.jspecify.annotations.NullMarked;
