/** Which snapshot a read looks at, and which of its objects it means. */
@NullMarked
package dev.muster.registry.read;

import org.jspecify.annotations.NullMarked;
