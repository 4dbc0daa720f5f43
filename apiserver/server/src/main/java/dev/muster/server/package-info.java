/**
 * The API server: how its listeners, request chain, registry, replica and store are wired together.
 */
@NullMarked
package dev.muster.server;

import org.jspecify.annotations.NullMarked;
