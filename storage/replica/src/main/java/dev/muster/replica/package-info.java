/** The replica: follows the store, keeps the cluster in memory and publishes snapshots. */
@NullMarked
package dev.muster.replica;

import org.jspecify.annotations.NullMarked;
