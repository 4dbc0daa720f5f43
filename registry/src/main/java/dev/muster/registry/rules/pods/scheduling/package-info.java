/** Rules of what decides on which nodes pods run, and in which order. */
@NullMarked
package dev.muster.registry.rules.pods.scheduling;

import org.jspecify.annotations.NullMarked;
