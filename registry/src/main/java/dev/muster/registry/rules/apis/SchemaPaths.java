package dev.muster.registry.rules.apis;

import dev.muster.model.JsonObject;
import java.util.regex.Pattern;

/** Follows paths such as {@code .spec.items['a-b']} through a schema. */
final class SchemaPaths {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private SchemaPaths() {}

  /** Where a path leads, or why it leads nowhere. */
  record Found(JsonObject schema, String problem) {
    static Found nothing(String problem) {
      return new Found(JsonObject.EMPTY, problem);
    }
  }

  /**
   * @param brackets whether a field may be written in brackets
   */
  static Found find(String path, JsonObject root, boolean brackets) {
    var schema = root;
    int at = 0;
    while (at < path.length()) {
      char c = path.charAt(at);
      String name;
      if (c == '.') {
        var rest = NAME.matcher(path).region(at + 1, path.length());
        if (!rest.lookingAt()) {
          return Found.nothing("unexpected end of JSON path");
        }
        name = rest.group();
        at = rest.end();
      } else if (c == '[' && brackets) {
        int end = path.indexOf(']', at);
        if (end < 0) {
          return Found.nothing("unexpected end of JSON path");
        }
        var inner = path.substring(at + 1, end);
        if (inner.length() < 2 || !inner.startsWith("'") || !inner.endsWith("'")) {
          return Found.nothing("expected single quoted string but got " + inner);
        }
        name = inner.substring(1, inner.length() - 1);
        at = end + 1;
      } else {
        var rest = NAME.matcher(path).region(at, path.length());
        var token = rest.lookingAt() ? rest.group() : String.valueOf(c);
        return Found.nothing("expected [ or . but got: " + token);
      }
      if (schema.object("properties").get(name) instanceof JsonObject property) {
        schema = property;
      } else if (schema.get("additionalProperties") instanceof JsonObject values) {
        schema = values;
      } else {
        return Found.nothing("does not refer to a valid field");
      }
    }
    return new Found(schema, "");
  }
}
