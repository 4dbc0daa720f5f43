package dev.muster.types;

/**
 * An object that defines a type at run time. What was read and checked by a type may only be
 * written while the object is there that it was made of.
 */
public interface TypeDefinition {
  /** The first part of the object's key in the store. */
  String storage();

  String name();

  /** Whether it is about to go: nothing new may be made of its type. */
  boolean isTerminating();

  /** Whether objects of its type are shown as by the other one: a watch need not end between. */
  default boolean showsTheSameAs(TypeDefinition other) {
    return this == other;
  }

  default String key() {
    return storage() + "/" + name();
  }
}
