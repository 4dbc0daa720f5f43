package dev.muster.schema.structural;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pairs a value of an update with its old value. Members of structs and maps are paired by name,
 * and list items by their keys, only in lists that declare keys. Only one thread uses it.
 */
public final class Correlation {
  private final Json value;
  private final Json old;
  private final StructuralSchema schema;
  private @Nullable Boolean same;
  private @Nullable Map<List<Json>, Json> oldItems;

  private Correlation(Json value, Json old, StructuralSchema schema) {
    this.value = value;
    this.old = old;
    this.schema = schema;
  }

  public static Correlation of(Json value, Json old, StructuralSchema schema) {
    return new Correlation(value, old, schema);
  }

  public Json old() {
    return old;
  }

  /** The pair for the member of that name, or null when either value or the schema lacks it. */
  public @Nullable Correlation member(String name) {
    if (!(value instanceof JsonObject now) || !(old instanceof JsonObject before)) {
      return null;
    }
    var member = schema.member(name);
    var mine = now.get(name);
    var theirs = before.get(name);
    return member == null || mine == null || theirs == null
        ? null
        : new Correlation(mine, theirs, member);
  }

  /** The pair for the item at that position, or null when no old item matches. */
  public @Nullable Correlation item(int index) {
    var items = schema.items();
    if (items == null || !(value instanceof JsonArray now) || !(old instanceof JsonArray before)) {
      return null;
    }
    var theirs = ofKey(before, now.get(index));
    return theirs == null ? null : new Correlation(now.get(index), theirs, items);
  }

  private @Nullable Json ofKey(JsonArray before, Json item) {
    if (schema.listType() != StructuralSchema.ListType.MAP) {
      return null;
    }
    var found = oldItems;
    if (found == null) {
      found = new HashMap<>();
      for (var one : before) {
        found.putIfAbsent(key(one), one);
      }
      oldItems = found;
    }
    return item instanceof JsonObject ? found.get(key(item)) : null;
  }

  private List<Json> key(Json item) {
    var key = new ArrayList<Json>(schema.listKeys().size());
    for (var name : schema.listKeys()) {
      var part = item instanceof JsonObject object ? object.get(name) : null;
      key.add(part == null ? JsonNull.NULL : part);
    }
    return key;
  }

  /**
   * Whether the value is unchanged, whatever the order of items with keys. A value with a member
   * that no schema describes never counts as unchanged.
   */
  public boolean isSame() {
    var known = same;
    if (known == null) {
      known = compare();
      same = known;
    }
    return known;
  }

  private boolean compare() {
    if (value instanceof JsonObject now && old instanceof JsonObject before) {
      if (now.size() != before.size()) {
        return false;
      }
      for (int i = 0; i < now.size(); i++) {
        var member = member(now.key(i));
        if (member == null || !member.isSame()) {
          return false;
        }
      }
      return true;
    }
    if (value instanceof JsonArray now
        && old instanceof JsonArray before
        && schema.listType() == StructuralSchema.ListType.MAP) {
      if (now.size() != before.size()) {
        return false;
      }
      for (int i = 0; i < now.size(); i++) {
        var item = item(i);
        if (item == null || !item.isSame()) {
          return false;
        }
      }
      return true;
    }
    return value.equals(old);
  }
}
