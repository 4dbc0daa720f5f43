/** Cluster identity inside an API server: the same rules as the webhook's, without a call. */
@NullMarked
package dev.muster.cli.identity;

import org.jspecify.annotations.NullMarked;
