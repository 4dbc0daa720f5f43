package dev.muster.replica.object;

/**
 * Takes from an object the values that selectors compare. An object remembers by which extractor it
 * was asked: equal ones take the same, and what they take depends on the object alone. Safe for use
 * by many threads.
 */
public interface FieldExtractor {
  /** The values in an order that is always the same; "" for one that is absent. */
  String[] extract(StoredObject object);
}
