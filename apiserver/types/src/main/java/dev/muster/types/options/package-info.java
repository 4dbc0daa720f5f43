/** What the query and the body of a request may ask for, read and checked. */
@NullMarked
package dev.muster.types.options;

import org.jspecify.annotations.NullMarked;
