package dev.muster.cel;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How large the values of a type are: a text at the most, a list or map with what is in it, a
 * struct with its fields. As {@link SizeHints} it speaks of whatever variable a path begins with.
 *
 * @param most characters or members; 0 for what has no size
 * @param fields of a struct, by name
 * @param values of a list or map
 * @param key characters of a map's keys at the most
 * @param open whether members of a map can be named like fields
 */
public record SizedType(
    long most, Map<String, SizedType> fields, @Nullable SizedType values, long key, boolean open)
    implements SizeHints {

  public SizedType {
    fields = Map.copyOf(fields);
  }

  /** A text, or something without a size. */
  public static SizedType sized(long most) {
    return new SizedType(most, Map.of(), null, 0, false);
  }

  public static SizedType struct(Map<String, SizedType> fields) {
    return new SizedType(0, fields, null, 0, false);
  }

  /** A list, or a map with keys of which nothing is known. */
  public static SizedType container(SizedType values, long most) {
    return map(values, most, 0);
  }

  /** A map with keys of no more characters than that. */
  public static SizedType map(SizedType values, long most, long key) {
    return new SizedType(most, Map.of(), values, key, false);
  }

  /** This type with members that can be named like fields. */
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
