package dev.muster.wire;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The repeated keys of a document, by the object instance that contained them. A reader that walks
 * the document can so report them in the order of the text.
 */
public final class Duplicates {
  public static final Duplicates NONE = new Duplicates();

  /**
   * A repetition of a key in its object.
   *
   * @param position the number of distinct keys before this repetition
   * @param earlier the value that was replaced
   */
  public record Duplicate(String key, int position, Json earlier) {}

  private final IdentityHashMap<JsonObject, List<Duplicate>> found = new IdentityHashMap<>(1);

  Duplicates() {}

  void add(JsonObject object, List<Duplicate> duplicates) {
    found.put(object, List.copyOf(duplicates));
  }

  public boolean isEmpty() {
    return found.isEmpty();
  }

  public List<Duplicate> in(JsonObject object) {
    return found.isEmpty() ? List.of() : found.getOrDefault(object, List.of());
  }
}
