/** What the query and the body of a request may ask for, read and checked. */
@NullMarked
package dev.muster.registry.options;

import org.jspecify.annotations.NullMarked;
