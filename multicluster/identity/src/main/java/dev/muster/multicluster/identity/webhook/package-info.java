/** The rules for cluster properties as an admission webhook for any API server. */
@NullMarked
package dev.muster.multicluster.identity.webhook;

import org.jspecify.annotations.NullMarked;
