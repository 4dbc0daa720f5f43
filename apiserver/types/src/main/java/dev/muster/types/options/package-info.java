/** Parses and validates request options from the query and the body. */
@NullMarked
package dev.muster.types.options;

import org.jspecify.annotations.NullMarked;
