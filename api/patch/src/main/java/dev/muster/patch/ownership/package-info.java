/** Server-side apply and the ownership of fields. */
@NullMarked
package dev.muster.patch.ownership;

import org.jspecify.annotations.NullMarked;
