/** Garbage collection of pods. */
@NullMarked
package dev.muster.controllers.pods;

import org.jspecify.annotations.NullMarked;
