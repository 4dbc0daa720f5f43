/** The handlers of the mutating verbs, one per verb. */
@NullMarked
package dev.muster.registry.write;

import org.jspecify.annotations.NullMarked;
