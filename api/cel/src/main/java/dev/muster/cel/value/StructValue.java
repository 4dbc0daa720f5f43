package dev.muster.cel.value;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A struct that an expression built, such as a part of an apply configuration. */
public record StructValue(String type, Map<Object, Object> fields) implements CelMap {
  @Override
  public int size() {
    return fields.size();
  }

  @Override
  public @Nullable Object find(Object key) {
    return fields.get(key);
  }

  @Override
  public List<Object> keys() {
    return List.copyOf(fields.keySet());
  }
}
