/** Tools that all kinds of patches and server-side apply share. */
@NullMarked
package dev.muster.patch.edit;

import org.jspecify.annotations.NullMarked;
