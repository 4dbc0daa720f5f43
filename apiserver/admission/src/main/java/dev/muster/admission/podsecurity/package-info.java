/** The pod security standards and the plugin that enforces them. */
@NullMarked
package dev.muster.admission.podsecurity;

import org.jspecify.annotations.NullMarked;
