/** JSON patch, merge patch, strategic merge, server-side apply and field ownership. */
@NullMarked
package dev.muster.change;

import org.jspecify.annotations.NullMarked;
