/** How authorizers are configured, put together, reloaded, and asked over HTTPS. */
@NullMarked
package dev.muster.authorization.modes;

import org.jspecify.annotations.NullMarked;
