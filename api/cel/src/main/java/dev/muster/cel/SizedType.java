package dev.muster.cel;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The maximum sizes of a type's values: the length of a string, the size of a list or map with its
 * elements, the fields of a struct. Implements {@link SizeHints} for any variable.
 *
 * @param most the maximum number of characters or elements; 0 for types without a size
 * @param fields the fields of a struct, by name
 * @param values the elements of a list or map
 * @param key the maximum number of characters of a map's keys
 * @param open whether expressions can access members of a map like fields
 */
public record SizedType(
    long most, Map<String, SizedType> fields, @Nullable SizedType values, long key, boolean open)
    implements SizeHints {

  public SizedType {
    fields = Map.copyOf(fields);
  }

  /** A string, or a type without a size. */
  public static SizedType sized(long most) {
    return new SizedType(most, Map.of(), null, 0, false);
  }

  public static SizedType struct(Map<String, SizedType> fields) {
    return new SizedType(0, fields, null, 0, false);
  }

  /** A list, or a map with keys of unknown size. */
  public static SizedType container(SizedType values, long most) {
    return map(values, most, 0);
  }

  /** A map with keys of at most that many characters. */
  public static SizedType map(SizedType values, long most, long key) {
    return new SizedType(most, Map.of(), values, key, false);
  }

  /** This type with members accessible like fields. */
  public SizedType opened() {
    return new SizedType(most, fields, values, key, true);
  }

  @Override
  public @Nullable CostRange size(List<String> path) {
    var type = this;
    for (var name : path.subList(1, path.size())) {
      var next =
          switch (name) {
            case "@items", "@values" -> type.values;
            case "@keys" -> type.values == null ? null : sized(type.key);
            default -> type.open ? type.values : type.fields.get(name);
          };
      if (next == null) {
        return null;
      }
      type = next;
    }
    return CostRange.upTo(type.most);
  }
}
