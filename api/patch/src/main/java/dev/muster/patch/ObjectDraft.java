package dev.muster.patch;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A mutable object; members that stay keep their order. Only one thread uses it. */
final class ObjectDraft {
  private final JsonObject original;
  private @Nullable Map<String, Json> members;

  ObjectDraft(JsonObject original) {
    this.original = original;
  }

  @Nullable Json get(String key) {
    return members == null ? original.get(key) : members.get(key);
  }

  void put(String key, Json value) {
    if (get(key) != value) {
      open().put(key, value);
    }
  }

  void remove(String key) {
    if (get(key) != null) {
      open().remove(key);
    }
  }

  void retain(Set<String> keys) {
    if (!keys.containsAll(original.keys())) {
      open().keySet().retainAll(keys);
    }
  }

  private Map<String, Json> open() {
    var opened = members;
    if (opened == null) {
      opened = new LinkedHashMap<>();
      for (int i = 0; i < original.size(); i++) {
        opened.put(original.key(i), original.value(i));
      }
      members = opened;
    }
    return opened;
  }

  /** The object with all changes; the same instance when nothing changed. */
  JsonObject build() {
    var changed = members;
    if (changed == null) {
      return original;
    }
    return JsonObject.ofUnique(
        changed.keySet().toArray(new String[0]), changed.values().toArray(new Json[0]));
  }
}
