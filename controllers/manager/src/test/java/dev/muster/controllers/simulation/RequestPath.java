package dev.muster.controllers.simulation;

import dev.muster.controllers.ObjectKey;
import dev.muster.model.json.JsonObject;
import dev.muster.model.select.LabelSelector;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What the path of a request names.
 *
 * @param collection such as {@code /api/v1/pods}, whatever the namespace
 * @param name is empty for a collection
 * @param query its parameters, decoded, as {@code key=value}
 */
record RequestPath(
    String collection, String namespace, String name, String subresource, List<String> query) {

  static RequestPath parse(String path) {
    int mark = path.indexOf('?');
    var segments = List.of((mark < 0 ? path : path.substring(0, mark)).substring(1).split("/"));
    var query = new ArrayList<String>();
    if (mark >= 0) {
      for (var parameter : path.substring(mark + 1).split("&")) {
        query.add(URLDecoder.decode(parameter, StandardCharsets.UTF_8));
      }
    }
    int start = segments.getFirst().equals("api") ? 2 : 3;
    var prefix =
        "/" + String.join("/", segments.subList(0, Math.min(start, segments.size()))) + "/";
    var rest = segments.subList(Math.min(start, segments.size()), segments.size());
    boolean placed = rest.size() > 2 && rest.getFirst().equals("namespaces");
    var namespace = placed ? rest.get(1) : "";
    var named = placed ? rest.subList(2, rest.size()) : rest;
    return new RequestPath(
        prefix + (named.isEmpty() ? "" : named.getFirst()),
        namespace,
        named.size() > 1 ? named.get(1) : "",
        named.size() > 2 ? named.get(2) : "",
        query);
  }

  ObjectKey key() {
    return new ObjectKey(namespace, name);
  }

  private String parameter(String key) {
    return query.stream()
        .filter(one -> one.startsWith(key + "="))
        .map(one -> one.substring(key.length() + 1))
        .findFirst()
        .orElse("");
  }

  /** Whether the collection, with its namespace and its selectors, has that object. */
  boolean selects(JsonObject object) {
    var place = ObjectKey.of(object);
    var field = parameter("fieldSelector").split("=", 2);
    boolean byField =
        switch (field[0]) {
          case "" -> true;
          case "metadata.name" -> place.name().equals(field[1]);
          case "type" -> object.string("type").equals(field[1]);
          default -> throw new IllegalArgumentException(field[0]);
        };
    return byField
        && (namespace.isEmpty() || place.namespace().equals(namespace))
        && LabelSelector.parse(parameter("labelSelector"))
            .matches(object.object("metadata").object("labels"));
  }
}
