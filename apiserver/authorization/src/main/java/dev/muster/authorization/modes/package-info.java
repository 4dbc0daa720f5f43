/** Authorization modes: configuration, the authorizer chain, reloading, and webhooks. */
@NullMarked
package dev.muster.authorization.modes;

import org.jspecify.annotations.NullMarked;
