package dev.muster.replica.snapshot;

import dev.muster.replica.keyspace.KeySpace;

/**
 * A key space and the revision at which it began.
 *
 * @param changed the revision at which the key space last changed
 */
public record KeySpaceSince(KeySpace keySpace, long changed) {}
