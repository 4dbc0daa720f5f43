/** A namespace takes no more than its quotas give. */
@NullMarked
package dev.muster.admission.quota;

import org.jspecify.annotations.NullMarked;
