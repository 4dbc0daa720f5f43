package dev.muster.registry.rules.admission;

import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelMap;
import dev.muster.cel.value.CelNull;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonNumber;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Objects as expressions see them that know nothing of their types: maps, lists and scalars. */
public final class JsonValues {
  private JsonValues() {}

  /** The value of what is there, or null when nothing is. */
  public static Object ofNullable(@Nullable Json value) {
    return value == null ? CelNull.NULL : of(value);
  }

  public static Object of(Json value) {
    return switch (value) {
      case JsonObject object -> new Members(object);
      case JsonArray list -> new Items(list);
      case JsonString text -> text.value();
      case JsonInteger number -> number.value();
      case JsonNumber number -> number.doubleValue();
      case JsonBool bool -> bool.value();
      case JsonNull ignored -> CelNull.NULL;
    };
  }

  private record Members(JsonObject object) implements CelMap {
    @Override
    public int size() {
      return object.size();
    }

    @Override
    public @Nullable Object find(Object key) {
      var found = key instanceof String name ? object.get(name) : null;
      return found == null ? null : of(found);
    }

    @Override
    public List<Object> keys() {
      return List.copyOf(object.keys());
    }
  }

  private record Items(JsonArray list) implements CelList {
    @Override
    public int size() {
      return list.size();
    }

    @Override
    public Object get(int index) {
      return of(list.get(index));
    }
  }
}
