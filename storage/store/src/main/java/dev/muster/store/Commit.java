package dev.muster.store;

import java.util.List;

/** One revision of the log and what it changed; no changes when they concern nobody here. */
public record Commit(long revision, List<Change> changes) {}
