/** Observation of other servers by this server's own clock, and Events about the fleet. */
@NullMarked
package dev.muster.fleet.observation;

import org.jspecify.annotations.NullMarked;
