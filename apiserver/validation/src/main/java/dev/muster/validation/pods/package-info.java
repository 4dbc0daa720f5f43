/** The strategy of pods, with the rules of their subresources, specs, volumes and status. */
@NullMarked
package dev.muster.validation.pods;

import org.jspecify.annotations.NullMarked;
