/** Values held against the schemas of custom resources. */
@NullMarked
package dev.muster.schema.value;

import org.jspecify.annotations.NullMarked;
