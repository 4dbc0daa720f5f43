package dev.muster.server.answers;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.schema.ListShape;
import dev.muster.schema.MapShape;
import dev.muster.schema.Scalar;
import dev.muster.schema.Shape;
import dev.muster.schema.StructShape;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes objects in which one list or map is very long. What else they hold looks as if somebody had
 * meant it, so that rules get to see the members.
 */
final class Stretched {
  /** How the members look. */
  enum Members {
    DISTINCT,
    ALIKE,
    WRONG
  }

  private static final int DEEPEST = 11;
  private static final int DEEPEST_MEMBER = 3;

  private final Members members;
  private final boolean siblings;

  /**
   * @param siblings whether the lists beside the one that is meant are long, too
   */
  Stretched(Members members, boolean siblings) {
    this.members = members;
    this.siblings = siblings;
  }

  /** The ways to all lists and maps of a struct; those of a struct within itself aside. */
  static List<List<String>> ways(StructShape shape) {
    var found = new ArrayList<List<String>>();
    collect(shape, List.of(), new HashSet<>(), found);
    return found;
  }

  private static void collect(
      Shape shape, List<String> way, Set<String> within, List<List<String>> found) {
    if (way.size() > DEEPEST) {
      return;
    }
    switch (shape) {
      case Scalar ignored -> {}
      case ListShape list -> {
        found.add(way);
        collect(list.items(), way, within, found);
      }
      case MapShape map -> {
        found.add(way);
        collect(map.values(), way, within, found);
      }
      case StructShape struct -> {
        if (within.add(struct.name())) {
          for (var field : struct.fields()) {
            var longer = new ArrayList<>(way);
            longer.add(field.name());
            collect(field.shape(), longer, within, found);
          }
          within.remove(struct.name());
        }
      }
    }
  }

  /** The value with so many members at the end of the way. */
  Json along(Shape shape, Json given, List<String> way, int count) {
    return switch (shape) {
      case Scalar scalar -> scalar(scalar, "", 0);
      case ListShape list ->
          way.isEmpty()
              ? many(list, count)
              : JsonArray.of(
                  along(
                      list.items(),
                      given instanceof JsonArray array && !array.isEmpty()
                          ? array.get(0)
                          : JsonNull.NULL,
                      way,
                      count));
      case MapShape map ->
          way.isEmpty()
              ? many(map, count)
              : JsonObject.of("k", along(map.values(), JsonNull.NULL, way, count));
      case StructShape struct -> {
        var object = given instanceof JsonObject known ? known : struct(struct, 0, DEEPEST_MEMBER);
        if (way.isEmpty()) {
          yield object;
        }
        var field = struct.field(way.getFirst());
        if (field == null) {
          yield object;
        }
        if (siblings && way.size() == 1) {
          for (var other : struct.fields()) {
            if (other.shape() instanceof ListShape || other.shape() instanceof MapShape) {
              object =
                  object.with(other.name(), along(other.shape(), JsonNull.NULL, List.of(), count));
            }
          }
          yield object;
        }
        var value = object.get(field.name());
        yield object.with(
            field.name(),
            along(
                field.shape(),
                value == null ? JsonNull.NULL : value,
                way.subList(1, way.size()),
                count));
      }
    };
  }

  private Json many(ListShape list, int count) {
    var items = new ArrayList<Json>(count);
    for (int i = 0; i < count; i++) {
      items.add(value(list.items(), "", i, 1));
    }
    return JsonArray.of(items);
  }

  private Json many(MapShape map, int count) {
    var entries = JsonObject.builder();
    for (int i = 0; i < count; i++) {
      entries.put(members == Members.WRONG ? "k_ü/" + i : "k" + i, value(map.values(), "", i, 1));
    }
    return entries.build();
  }

  private Json value(Shape shape, String name, int number, int depth) {
    return switch (shape) {
      case Scalar scalar -> scalar(scalar, name, number);
      case ListShape list -> JsonArray.of(value(list.items(), name, number, depth + 1));
      case MapShape map -> JsonObject.of("k" + number, value(map.values(), name, number, depth));
      case StructShape struct -> struct(struct, number, depth);
    };
  }

  private JsonObject struct(StructShape struct, int number, int depth) {
    var object = JsonObject.builder();
    for (var field : struct.fields()) {
      boolean leaf = field.shape() instanceof Scalar;
      if ((leaf ? depth <= DEEPEST_MEMBER : depth < DEEPEST_MEMBER) || field.required()) {
        if (depth <= DEEPEST) {
          object.put(field.name(), value(field.shape(), field.name(), number, depth + 1));
        }
      }
    }
    return object.build();
  }

  private Json scalar(Scalar scalar, String name, int given) {
    int number = members == Members.ALIKE ? 7 : given;
    return switch (scalar) {
      case STRING -> Json.of(text(name, number));
      case BOOLEAN -> Json.of(true);
      case INT32, INT64 -> Json.of(members == Members.WRONG ? -1 : 1 + number % 65_535);
      case DOUBLE -> Json.of(1);
      case BYTES -> Json.of("AAEC");
      case TIME -> Json.of("2024-02-29T12:34:56Z");
      case MICRO_TIME -> Json.of("2024-02-29T12:34:56.000789Z");
      case DURATION -> Json.of("1m30s");
      case QUANTITY -> Json.of(members == Members.WRONG ? "-1m" : Integer.toString(number));
      case INT_OR_STRING -> Json.of(1 + number % 65_535);
      case ANY, FIELDS_V1 -> JsonObject.EMPTY;
      case SCHEMA_OR_ARRAY, SCHEMA_OR_BOOL, SCHEMA_OR_STRINGS -> Json.of(true);
    };
  }

  private String text(String name, int number) {
    if (members == Members.WRONG) {
      return "Wrong_ü!" + number;
    }
    return switch (name) {
      case "ip", "hostIP", "podIP", "address", "addresses", "clusterIP" ->
          "10." + (number >> 16) + "." + (number >> 8 & 255) + "." + (number & 255);
      case "cidr", "except" -> "10." + (number >> 8 & 255) + "." + (number & 255) + ".0/24";
      case "protocol" -> "TCP";
      case "operator" -> "In";
      case "effect" -> "NoSchedule";
      case "pathType" -> "Prefix";
      case "path", "mountPath", "devicePath" -> "/p" + number;
      case "status" -> "True";
      case "expression" -> "object.a" + number + " == 1";
      case "rule" -> "self.a" + number + " == 1";
      case "apiVersion", "apiVersions" -> "v1";
      case "apiGroup", "apiGroups" -> "example.com";
      case "verb", "verbs" -> "get";
      case "key", "keys" -> "key" + number;
      case "imagePullPolicy", "terminationMessagePolicy" -> "Always";
      case "restartPolicy" -> "Never";
      case "topologyKey", "topologyKeys" -> "example.com/zone" + number;
      case "uid" -> "u" + number;
      default -> "n" + number;
    };
  }
}
