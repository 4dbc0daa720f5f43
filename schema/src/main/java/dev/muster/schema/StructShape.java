package dev.muster.schema;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A struct with named fields in the order in which they are written. Structs may contain
 * themselves, so the fields are given once after all structs exist; from then on it is immutable.
 */
public final class StructShape implements Shape {
  private final String name;
  private final boolean atomic;
  private List<Field> fields = List.of();
  private Map<String, Field> byName = Map.of();

  /**
   * @param name the definition's name in the OpenAPI document
   * @param atomic whether server-side apply takes it as one value
   */
  public StructShape(String name, boolean atomic) {
    this.name = name;
    this.atomic = atomic;
  }

  /** Gives the struct its fields, once. */
  public void define(List<Field> definition) {
    fields = List.copyOf(definition);
    var index = new HashMap<String, Field>();
    fields.forEach(field -> index.put(field.name(), field));
    byName = index;
  }

  public String name() {
    return name;
  }

  public boolean atomic() {
    return atomic;
  }

  public List<Field> fields() {
    return fields;
  }

  public @Nullable Field field(String fieldName) {
    return byName.get(fieldName);
  }

  @Override
  public String toString() {
    return name;
  }
}
