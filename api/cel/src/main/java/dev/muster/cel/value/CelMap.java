package dev.muster.cel.value;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An immutable map, or a struct with its fields as keys. */
public interface CelMap {
  CelMap EMPTY = of(Map.of());

  int size();

  /** The value of a key, or null; equal numbers of different types are the same key. */
  @Nullable Object find(Object key);

  /** All keys, in the order of loops. */
  List<Object> keys();

  /** Whether the other value is an equal map. */
  default boolean isSame(Object other) {
    if (!(other instanceof CelMap map) || map.size() != size()) {
      return false;
    }
    for (var key : keys()) {
      var mine = find(key);
      var theirs = map.find(key);
      if (mine == null || theirs == null || !CelValues.equal(mine, theirs)) {
        return false;
      }
    }
    return true;
  }

  static CelMap of(Map<Object, Object> entries) {
    return new CelMap() {
      @Override
      public int size() {
        return entries.size();
      }

      @Override
      public @Nullable Object find(Object key) {
        var found = entries.get(key);
        if (found != null || key instanceof String) {
          return found;
        }
        for (var same : CelValues.sameNumbers(key)) {
          found = entries.get(same);
          if (found != null) {
            return found;
          }
        }
        return null;
      }

      @Override
      public List<Object> keys() {
        return List.copyOf(entries.keySet());
      }
    };
  }
}
