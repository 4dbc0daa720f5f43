/** The cluster in memory: what follows the store, publishes snapshots and answers who waits. */
@NullMarked
package dev.muster.replica;

import org.jspecify.annotations.NullMarked;
