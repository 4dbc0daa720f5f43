package dev.muster.replica.tree;

import dev.muster.model.ObjectName;

/**
 * A position in a {@link SortedTree}, whether or not the tree has an item there.
 *
 * @param value the value by which an index sorts first; "" in a tree that is no index
 */
public record Probe(String value, String namespace, String name) {
  /** A name after all names; recognized by identity. */
  @SuppressWarnings({"StringOperationCanBeSimplified", "StringConstructor"})
  private static final String LAST = new String("\uffff");

  public static Probe of(String namespace, String name) {
    return new Probe("", namespace, name);
  }

  public static Probe of(ObjectName name) {
    return new Probe("", name.namespace(), name.name());
  }

  /** Before all items in that namespace. */
  public static Probe first(String value, String namespace) {
    return new Probe(value, namespace, "");
  }

  /** After all items in that namespace. */
  public static Probe last(String value, String namespace) {
    return new Probe(value, namespace, LAST);
  }

  /** Before all items with that value. */
  public static Probe first(String value) {
    return new Probe(value, "", "");
  }

  /** After all items with that value. */
  public static Probe last(String value) {
    return new Probe(value, LAST, LAST);
  }

  static boolean isLast(String text) {
    return text == LAST;
  }
}
