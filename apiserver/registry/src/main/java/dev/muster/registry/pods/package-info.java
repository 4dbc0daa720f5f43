/** Subresources of pods: binding and eviction. */
@NullMarked
package dev.muster.registry.pods;

import org.jspecify.annotations.NullMarked;
