package dev.muster.types;

import dev.muster.types.table.TableSpec;

/**
 * The strategies and columns of types, looked up when a type is first used. A cluster has objects
 * of few kinds, and building the rules of all kinds takes a large part of the JVM's start.
 */
public interface TypeRules {
  /**
   * @throws IllegalArgumentException when there is no such type
   */
  Strategy strategy(String plural);

  default TableSpec table(String plural) {
    return TableSpec.PLAIN;
  }
}
