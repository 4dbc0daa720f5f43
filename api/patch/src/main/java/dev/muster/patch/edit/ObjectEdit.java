package dev.muster.patch.edit;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Collects changes to an object, each key at most once. Existing members keep their order; new ones
 * follow in the order in which they were added. Only one thread uses it.
 */
public final class ObjectEdit {
  private final JsonObject base;
  private @Nullable Json @Nullable [] values;
  private int removed;
  private final ArrayList<String> newKeys = new ArrayList<>(0);
  private final ArrayList<Json> newValues = new ArrayList<>(0);

  public ObjectEdit(JsonObject base) {
    this.base = base;
  }

  public void put(String key, Json value) {
    int index = base.indexOf(key);
    if (index >= 0) {
      put(index, value);
    } else {
      newKeys.add(key);
      newValues.add(value);
    }
  }

  /** Replaces the member at that position of the object; null removes it. */
  public void put(int index, @Nullable Json value) {
    if (base.value(index) == value) {
      return;
    }
    var changed = values;
    if (changed == null) {
      changed = new Json[base.size()];
      for (int i = 0; i < changed.length; i++) {
        changed[i] = base.value(i);
      }
      values = changed;
    }
    changed[index] = value;
    removed += value == null ? 1 : 0;
  }

  public void remove(String key) {
    int index = base.indexOf(key);
    if (index >= 0) {
      put(index, null);
    }
  }

  /** The object with all changes; the same instance when there were none. */
  public JsonObject build() {
    var changed = values;
    if (changed == null && newKeys.isEmpty()) {
      return base;
    }
    int size = base.size() - removed + newKeys.size();
    var keys = new String[size];
    var result = new Json[size];
    int at = 0;
    for (int i = 0; i < base.size(); i++) {
      var value = changed == null ? base.value(i) : changed[i];
      if (value != null) {
        keys[at] = base.key(i);
        result[at++] = value;
      }
    }
    for (int i = 0; i < newKeys.size(); i++) {
      keys[at] = newKeys.get(i);
      result[at++] = newValues.get(i);
    }
    return JsonObject.ofUnique(keys, result);
  }
}
