package dev.muster.validation.apis;

import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/** Resolves paths such as {@code .spec.items['a-b']} in a schema. */
final class SchemaPaths {
  private static final String END = "unexpected end of JSON path";

  private SchemaPaths() {}

  /** The schema at a path, or the problem with the path. */
  record Found(JsonObject schema, String problem) {
    static Found nothing(String problem) {
      return new Found(JsonObject.EMPTY, problem);
    }
  }

  /**
   * @param brackets whether fields in brackets are allowed
   */
  static Found find(String path, JsonObject root, boolean brackets) {
    var schema = root;
    var tokens = tokens(path);
    for (int i = 0; i < tokens.size(); i++) {
      var token = tokens.get(i);
      boolean bracket = token.equals("[");
      if (!bracket && !token.equals(".")) {
        return Found.nothing("expected [ or . but got: " + token);
      }
      if (bracket && !brackets) {
        return Found.nothing("array notation is not allowed");
      }
      if (++i == tokens.size()) {
        return Found.nothing(END);
      }
      var name = tokens.get(i);
      if (bracket) {
        if (name.length() < 2 || !name.startsWith("'") || !name.endsWith("'")) {
          return Found.nothing("expected single quoted string but got " + name);
        }
        name = name.substring(1, name.length() - 1).replace("\\'", "'").replace("\\\\", "\\");
      }
      if (schema.object("properties").get(name) instanceof JsonObject property) {
        schema = property;
      } else if (schema.object("properties").isEmpty()
          && schema.get("additionalProperties") instanceof JsonObject values) {
        schema = values;
      } else {
        return Found.nothing("does not refer to a valid field");
      }
      if (bracket && ++i == tokens.size()) {
        return Found.nothing(END);
      }
      if (bracket && !tokens.get(i).equals("]")) {
        return Found.nothing("expected ] but got " + tokens.get(i));
      }
    }
    return new Found(schema, "");
  }

  /** Splits a path at dots and brackets; a quoted string is one token. */
  private static List<String> tokens(String path) {
    var tokens = new ArrayList<String>();
    int from = 0;
    while (from < path.length()) {
      int to = from + 1;
      if (path.charAt(from) == '\'') {
        while (to < path.length() && !(path.charAt(to) == '\'' && path.charAt(to - 1) != '\\')) {
          to++;
        }
        to = Math.min(to + 1, path.length());
      } else if (".[]".indexOf(path.charAt(from)) < 0) {
        while (to < path.length() && ".[]".indexOf(path.charAt(to)) < 0) {
          to++;
        }
      }
      tokens.add(path.substring(from, to));
      from = to;
    }
    return tokens;
  }
}
