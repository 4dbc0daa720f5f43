/** What a server has seen of others with its own clock, and the events it writes about it. */
@NullMarked
package dev.muster.fleet.observation;

import org.jspecify.annotations.NullMarked;
