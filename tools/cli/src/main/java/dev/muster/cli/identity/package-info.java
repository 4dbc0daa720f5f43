/** Cluster identity inside an API server: the webhook's rules without a webhook call. */
@NullMarked
package dev.muster.cli.identity;

import org.jspecify.annotations.NullMarked;
