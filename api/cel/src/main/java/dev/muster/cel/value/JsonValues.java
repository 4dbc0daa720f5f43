package dev.muster.cel.value;

import dev.muster.model.gocompat.GoDuration;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonDecimal;
import dev.muster.model.json.JsonInteger;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts JSON without a schema to values of expressions, and results to JSON. Values are
 * converted on first use.
 */
public final class JsonValues {
  /** The largest integer up to which a double represents every integer exactly. */
  private static final long LARGEST_EXACT = 1L << 53;

  private JsonValues() {}

  /** The value of JSON in expressions; null becomes the value null. */
  public static Object of(@Nullable Json json) {
    return switch (json) {
      case null -> CelNull.NULL;
      case JsonNull ignored -> CelNull.NULL;
      case JsonObject object -> new Members(object);
      case JsonArray array -> new Items(array);
      case JsonString text -> text.value();
      case JsonInteger number -> number.value();
      case JsonDecimal number -> number.doubleValue();
      case JsonBool bool -> bool.value();
    };
  }

  /**
   * The JSON of a result.
   *
   * @throws EvaluationException for a value that JSON cannot represent
   */
  public static Json toJson(Object value) {
    return switch (value) {
      case CelNull ignored -> JsonNull.NULL;
      case Members members -> members.object();
      case Items items -> items.array();
      case CelMap map -> object(map);
      case CelList list -> array(list);
      case String text -> Json.of(text);
      case Boolean bool -> Json.of(bool);
      case Long number -> Json.of(number);
      case CelUint number ->
          number.bits() >= 0 ? Json.of(number.bits()) : new JsonDecimal(number.toString());
      case Double number -> decimal(number);
      case CelBytes bytes -> Json.of(Base64.getEncoder().encodeToString(bytes.bytes()));
      case Instant time -> Json.of(time.toString());
      case Duration duration -> Json.of(GoDuration.format(duration));
      case CelOptional optional when optional.value() != null -> toJson(optional.value());
      default ->
          throw new EvaluationException(
              "type conversion error from '" + CelValues.typeName(value) + "' to JSON");
    };
  }

  private static Json decimal(double number) {
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      throw new EvaluationException("JSON has no number " + number);
    }
    return number == Math.rint(number) && Math.abs(number) < LARGEST_EXACT
        ? Json.of((long) number)
        : new JsonDecimal(Double.toString(number));
  }

  private static Json object(CelMap map) {
    var made = JsonObject.builder();
    for (var key : map.keys()) {
      var found = map.find(key);
      if (!(key instanceof String name)) {
        throw new EvaluationException("JSON has no key of type " + CelValues.typeName(key));
      }
      if (found != null) {
        made.put(name, toJson(found));
      }
    }
    return made.build();
  }

  private static Json array(CelList list) {
    var items = new ArrayList<Json>(list.size());
    for (int i = 0; i < list.size(); i++) {
      items.add(toJson(list.get(i)));
    }
    return JsonArray.of(items);
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
