/** Schemas of resources: structure, defaults, validation. */
@NullMarked
package dev.muster.schema;

import org.jspecify.annotations.NullMarked;
