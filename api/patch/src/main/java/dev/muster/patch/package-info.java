/** JSON patch, merge patch and strategic merge patch. */
@NullMarked
package dev.muster.patch;

import org.jspecify.annotations.NullMarked;
