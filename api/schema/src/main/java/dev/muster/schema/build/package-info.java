/** The version of this build of Muster. */
@NullMarked
package dev.muster.schema.build;

import org.jspecify.annotations.NullMarked;
