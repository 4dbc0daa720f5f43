package dev.muster.replica.object;

/**
 * Reads from an object the values that selectors compare. An object caches the values per
 * extractor, so equal extractors must return the same values, and the values may depend only on the
 * object. Thread-safe.
 */
public interface FieldExtractor {
  /** The values in a fixed order; "" for an absent value. */
  String[] extract(StoredObject object);
}
