/** Which build of Muster this is. */
@NullMarked
package dev.muster.schema.build;

import org.jspecify.annotations.NullMarked;
