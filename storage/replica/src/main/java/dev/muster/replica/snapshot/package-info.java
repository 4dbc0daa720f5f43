/**
 * Snapshots: the cluster at one revision, its collections and indexes, and the events that lead
 * from one revision to the next.
 */
@NullMarked
package dev.muster.replica.snapshot;

import org.jspecify.annotations.NullMarked;
