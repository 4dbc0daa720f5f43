/** The pod security standards: what pods may do in a namespace of each level. */
@NullMarked
package dev.muster.admission.podsecurity;

import org.jspecify.annotations.NullMarked;
