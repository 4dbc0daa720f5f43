package dev.muster.controllers.client;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Converts the client's objects to compact, immutable JSON trees. */
public final class JsonTrees {
  private JsonTrees() {}

  public static JsonObject object(Map<String, Object> map) {
    var json = JsonObject.builder();
    map.forEach((key, value) -> json.put(key, value(value)));
    return json.build();
  }

  @SuppressWarnings("unchecked")
  private static Json value(@Nullable Object value) {
    return switch (value) {
      case null -> JsonNull.NULL;
      case String text -> Json.of(text);
      case Boolean bool -> Json.of(bool);
      case Integer number -> Json.of(number);
      case Long number -> Json.of(number);
      case BigInteger number -> new JsonDecimal(number.toString());
      case Number number -> new JsonDecimal(number.toString());
      case Map<?, ?> map -> object((Map<String, Object>) map);
      case List<?> list -> {
        var items = new ArrayList<Json>(list.size());
        list.forEach(item -> items.add(value(item)));
        yield JsonArray.of(items);
      }
      default -> throw new IllegalArgumentException("no JSON: " + value.getClass());
    };
  }
}
