/** Label and field selectors, parsed once and matched often. */
@NullMarked
package dev.muster.model.select;

import org.jspecify.annotations.NullMarked;
