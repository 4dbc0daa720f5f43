/** Rules of what decides on which nodes pods run, and in which order. */
@NullMarked
package dev.muster.validation.pods.scheduling;

import org.jspecify.annotations.NullMarked;
