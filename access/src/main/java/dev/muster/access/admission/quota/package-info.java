/** How much of a namespace's quota objects take. */
@NullMarked
package dev.muster.access.admission.quota;

import org.jspecify.annotations.NullMarked;
