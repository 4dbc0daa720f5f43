package dev.muster.store;

/** A key with its value and the revision that last wrote it. */
public record Entry(String key, byte[] value, long modRevision) {}
