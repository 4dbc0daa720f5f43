/** Values held against the schemas of custom resources. */
@NullMarked
package dev.muster.schema.structural;

import org.jspecify.annotations.NullMarked;
