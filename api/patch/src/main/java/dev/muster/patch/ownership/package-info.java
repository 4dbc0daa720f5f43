/** Server-side apply: which manager owns which fields, and what follows from that. */
@NullMarked
package dev.muster.patch.ownership;

import org.jspecify.annotations.NullMarked;
