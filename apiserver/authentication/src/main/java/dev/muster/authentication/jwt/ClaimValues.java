package dev.muster.authentication.jwt;

import dev.muster.cel.FieldNames;
import dev.muster.cel.value.CelList;
import dev.muster.cel.value.CelMap;
import dev.muster.cel.value.CelNull;
import dev.muster.model.User;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Converts claims and users to CEL values. Every number is a double, and names that are no
 * identifiers are available in escaped form, such as {@code claims.foo__dot__bar}.
 */
final class ClaimValues {
  private ClaimValues() {}

  static Object of(Json json) {
    return switch (json) {
      case JsonNull ignored -> CelNull.NULL;
      case JsonObject object -> new Members(object);
      case JsonArray array -> new Items(array);
      case JsonString text -> text.value();
      case JsonInteger number -> (double) number.value();
      case JsonDecimal number -> number.doubleValue();
      case JsonBool bool -> bool.value();
    };
  }

  static Object of(User user) {
    return CelMap.of(
        Map.of(
            "username",
            user.name(),
            "uid",
            user.uid(),
            "groups",
            CelList.of(user.groups()),
            "extra",
            new Extra(user.extra())));
  }

  private record Members(JsonObject object) implements CelMap {
    @Override
    public int size() {
      return object.size();
    }

    @Override
    public @Nullable Object find(Object key) {
      var found = key instanceof String name ? object.get(FieldNames.unescaped(name)) : null;
      return found == null ? null : of(found);
    }

    @Override
    public List<Object> keys() {
      return List.copyOf(object.keys());
    }
  }

  private record Extra(Map<String, List<String>> values) implements CelMap {
    @Override
    public int size() {
      return values.size();
    }

    @Override
    public @Nullable Object find(Object key) {
      var found = key instanceof String name ? values.get(FieldNames.unescaped(name)) : null;
      return found == null ? null : CelList.of(found);
    }

    @Override
    public List<Object> keys() {
      return List.copyOf(values.keySet());
    }
  }

  private record Items(JsonArray array) implements CelList {
    @Override
    public int size() {
      return array.size();
    }

    @Override
    public Object get(int index) {
      return of(array.get(index));
    }
  }
}
