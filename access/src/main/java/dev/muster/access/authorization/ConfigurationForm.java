package dev.muster.access.authorization;

import dev.muster.model.go.GoText;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonBool;
import dev.muster.model.json.JsonNull;
import dev.muster.model.json.JsonObject;
import dev.muster.model.json.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Which fields a configuration has, and of which type. Not for several threads. */
final class ConfigurationForm {
  private enum Type {
    TEXT,
    BOOL,
    OBJECT,
    LIST
  }

  private static final Map<String, Type> TOP =
      Map.of(
          "apiVersion", Type.TEXT,
          "kind", Type.TEXT,
          "authorizers", Type.LIST);

  private static final Map<String, Type> AUTHORIZER =
      Map.of(
          "type", Type.TEXT,
          "name", Type.TEXT,
          "webhook", Type.OBJECT);

  private static final Map<String, Type> WEBHOOK =
      Map.ofEntries(
          Map.entry("authorizedTTL", Type.TEXT),
          Map.entry("cacheAuthorizedRequests", Type.BOOL),
          Map.entry("unauthorizedTTL", Type.TEXT),
          Map.entry("cacheUnauthorizedRequests", Type.BOOL),
          Map.entry("timeout", Type.TEXT),
          Map.entry("subjectAccessReviewVersion", Type.TEXT),
          Map.entry("matchConditionSubjectAccessReviewVersion", Type.TEXT),
          Map.entry("failurePolicy", Type.TEXT),
          Map.entry("connectionInfo", Type.OBJECT),
          Map.entry("matchConditions", Type.LIST));

  private static final Map<String, Type> CONNECTION =
      Map.of("type", Type.TEXT, "kubeConfigFile", Type.TEXT);

  private static final Map<String, Type> CONDITION = Map.of("expression", Type.TEXT);

  private final List<String> problems = new ArrayList<>();

  /** Everything that has no place or another type; empty when nothing has. */
  List<String> problems(JsonObject configuration) {
    fields(configuration, TOP, "");
    items(
        configuration,
        "authorizers",
        "",
        AUTHORIZER,
        (authorizer, path) -> {
          if (authorizer.get("webhook") instanceof JsonObject webhook) {
            webhook(webhook, path + "webhook.");
          }
        });
    return problems;
  }

  private void webhook(JsonObject webhook, String path) {
    fields(webhook, WEBHOOK, path);
    if (webhook.get("connectionInfo") instanceof JsonObject connection) {
      fields(connection, CONNECTION, path + "connectionInfo.");
    }
    items(webhook, "matchConditions", path, CONDITION, (condition, at) -> {});
  }

  /** Goes on with each item. */
  private interface Item {
    void visit(JsonObject item, String path);
  }

  private void items(
      JsonObject holder, String field, String path, Map<String, Type> known, Item next) {
    if (!(holder.get(field) instanceof JsonArray list)) {
      return;
    }
    for (int i = 0; i < list.size(); i++) {
      var at = path + field + "[" + i + "]";
      if (list.get(i) instanceof JsonObject item) {
        fields(item, known, at + ".");
        next.visit(item, at + ".");
      } else {
        problems.add(at + ": expected an object, got " + GoText.kind(list.get(i)));
      }
    }
  }

  private void fields(JsonObject object, Map<String, Type> known, String path) {
    for (int i = 0; i < object.size(); i++) {
      var type = known.get(object.key(i));
      var at = path + object.key(i);
      if (type == null) {
        problems.add("unknown field " + GoText.quote(at));
      } else if (!is(object.value(i), type)) {
        problems.add(at + ": unexpected " + GoText.kind(object.value(i)));
      }
    }
  }

  private static boolean is(Json value, Type type) {
    return value instanceof JsonNull
        || switch (type) {
          case TEXT -> value instanceof JsonString;
          case BOOL -> value instanceof JsonBool;
          case OBJECT -> value instanceof JsonObject;
          case LIST -> value instanceof JsonArray;
        };
  }
}
