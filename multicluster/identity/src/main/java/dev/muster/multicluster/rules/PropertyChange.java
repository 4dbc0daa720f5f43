package dev.muster.multicluster.rules;

/** What somebody wants to do with a cluster property. */
public sealed interface PropertyChange {
  /** Of the property, which is its whole meaning. */
  String name();

  /** A property that was not there. */
  record Create(String name, String value) implements PropertyChange {}

  /** Another value, or the same with other metadata. */
  record Update(String name, String oldValue, String value) implements PropertyChange {}

  /** The property goes. */
  record Delete(String name) implements PropertyChange {}
}
