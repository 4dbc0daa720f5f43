/** Validates, prunes and defaults values by the schemas of custom resources. */
@NullMarked
package dev.muster.schema.structural;

import org.jspecify.annotations.NullMarked;
