/** The rules for cluster properties as an admission webhook, for any API server. */
@NullMarked
package dev.muster.clusterset.admission;

import org.jspecify.annotations.NullMarked;
