package dev.muster.types;

/**
 * An object that declares a type at run time. Objects decoded and validated by that type may be
 * written only while the definition exists unchanged.
 */
public interface TypeDefinition {
  /** The storage prefix of the definition. */
  String storage();

  String name();

  /** Whether the definition is being deleted, so that no new objects of its type may be created. */
  boolean isTerminating();

  /** Whether both definitions serve objects in the same way, so that watches can continue. */
  default boolean showsTheSameAs(TypeDefinition other) {
    return this == other;
  }

  default String key() {
    return storage() + "/" + name();
  }
}
