/** Selectors of labels and fields, read once and asked often. */
@NullMarked
package dev.muster.model.select;

import org.jspecify.annotations.NullMarked;
