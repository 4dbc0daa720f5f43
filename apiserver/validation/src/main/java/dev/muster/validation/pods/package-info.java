/** Rules of pods: of their specs, volumes and status, and of what may be changed in them. */
@NullMarked
package dev.muster.validation.pods;

import org.jspecify.annotations.NullMarked;
