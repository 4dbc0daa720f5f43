package dev.muster.multicluster.rules;

/** A requested change of a cluster property. */
public sealed interface PropertyChange {
  /** The name of the property. */
  String name();

  /** Creates a property. */
  record Create(String name, String value) implements PropertyChange {}

  /** Changes the value, or only metadata if both values are equal. */
  record Update(String name, String oldValue, String value) implements PropertyChange {}

  /** Deletes the property. */
  record Delete(String name) implements PropertyChange {}
}
