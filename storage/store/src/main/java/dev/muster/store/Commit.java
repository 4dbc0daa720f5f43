package dev.muster.store;

import java.util.List;

/**
 * One revision of the log and its changes. The list is empty when no change is in this key space.
 */
public record Commit(long revision, List<Change> changes) {}
