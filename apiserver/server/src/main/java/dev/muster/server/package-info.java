/** Listeners, HTTP, the request chain, discovery, health, metrics. */
@NullMarked
package dev.muster.server;

import org.jspecify.annotations.NullMarked;
