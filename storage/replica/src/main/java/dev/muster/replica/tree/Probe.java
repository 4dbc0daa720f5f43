package dev.muster.replica.tree;

import dev.muster.model.ObjectName;

/**
 * A place in a {@link SortedTree}, whether or not something is there.
 *
 * @param value what an index is ordered by first; "" where there is no index
 */
public record Probe(String value, String namespace, String name) {
  /** A name after all names; recognised by identity. */
  @SuppressWarnings({"StringOperationCanBeSimplified", "StringConstructor"})
  private static final String LAST = new String("\uffff");

  public static Probe of(String namespace, String name) {
    return new Probe("", namespace, name);
  }

  public static Probe of(ObjectName name) {
    return new Probe("", name.namespace(), name.name());
  }

  /** Before everything in that namespace. */
  public static Probe first(String value, String namespace) {
    return new Probe(value, namespace, "");
  }

  /** After everything in that namespace. */
  public static Probe last(String value, String namespace) {
    return new Probe(value, namespace, LAST);
  }

  /** Before everything with that value. */
  public static Probe first(String value) {
    return new Probe(value, "", "");
  }

  /** After everything with that value. */
  public static Probe last(String value) {
    return new Probe(value, LAST, LAST);
  }

  static boolean isLast(String text) {
    return text == LAST;
  }
}
