package dev.muster.replica.snapshot;

import dev.muster.replica.keyspace.KeySpace;

/**
 * What keys are, and since when.
 *
 * @param changed the revision at which the key space changed last
 */
public record KeySpaceSince(KeySpace keySpace, long changed) {}
