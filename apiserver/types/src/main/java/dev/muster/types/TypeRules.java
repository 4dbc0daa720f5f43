package dev.muster.types;

import dev.muster.types.table.TableSpec;

/**
 * Rules and columns of types that are looked up when somebody uses the type for the first time. A
 * cluster has objects of a few kinds only, and making the rules of all of them takes a large part
 * of a JVM's first start.
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
