package dev.muster.server.aggregation;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.server.proxy.BackendException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Converts the resources of an aggregated API server to aggregated discovery. It copies only known
 * fields, so that nothing else enters the documents of this server.
 */
final class RemoteResources {
  private static final String NAMESPACED = "Namespaced";
  private static final String CLUSTER = "Cluster";

  private RemoteResources() {}

  /**
   * The resources of a version in an APIGroupDiscoveryList; empty when the list does not contain
   * it.
   *
   * @param list of {@code apidiscovery.k8s.io}, in either of its versions
   */
  static JsonArray ofAggregated(JsonObject list, String group, String version) {
    for (var item : list.array("items").objects()) {
      if (item.object("metadata").string("name").equals(group)) {
        for (var served : item.array("versions").objects()) {
          if (served.string("version").equals(version)) {
            return JsonArray.of(
                served.array("resources").objects().stream()
                    .map(RemoteResources::resource)
                    .toList());
          }
        }
      }
    }
    return JsonArray.EMPTY;
  }

  private static JsonObject resource(JsonObject sent) {
    var body =
        JsonObject.builder()
            .put("resource", sent.string("resource"))
            .put("responseKind", kind(sent.object("responseKind")))
            .put("scope", sent.string("scope").equals(NAMESPACED) ? NAMESPACED : CLUSTER)
            .put("singularResource", sent.string("singularResource"))
            .put("verbs", texts(sent, "verbs"));
    putTexts(body, sent, "shortNames");
    putTexts(body, sent, "categories");
    var subresources = sent.array("subresources").objects();
    if (!subresources.isEmpty()) {
      body.put(
          "subresources",
          JsonArray.of(
              subresources.stream()
                  .map(
                      each ->
                          subresource(
                              each.string("subresource"), each.object("responseKind"), each))
                  .toList()));
    }
    return body.build();
  }

  private static JsonObject subresource(String name, JsonObject kind, JsonObject sent) {
    var body =
        JsonObject.builder()
            .put("subresource", name)
            .put("responseKind", kind(kind))
            .put("verbs", texts(sent, "verbs"));
    var accepted = sent.array("acceptedTypes").objects();
    if (!accepted.isEmpty()) {
      body.put(
          "acceptedTypes", JsonArray.of(accepted.stream().map(RemoteResources::kind).toList()));
    }
    return body.build();
  }

  private static JsonObject kind(JsonObject sent) {
    return JsonObject.of(
        "group", sent.string("group"),
        "version", sent.string("version"),
        "kind", sent.string("kind"));
  }

  private static JsonArray texts(JsonObject sent, String key) {
    return JsonArray.ofStrings(sent.array(key).strings());
  }

  private static void putTexts(JsonObject.Builder body, JsonObject sent, String key) {
    if (!sent.array(key).isEmpty()) {
      body.put(key, texts(sent, key));
    }
  }

  /**
   * The resources of an APIResourceList, which lists subresources beside resources.
   *
   * @throws BackendException when the document is of another kind or contradicts itself
   */
  static JsonArray ofList(JsonObject list) throws BackendException {
    if (!list.string("kind").equals("APIResourceList")) {
      throw new BackendException("no kind \"" + list.string("kind") + "\" is registered");
    }
    var resources = new LinkedHashMap<String, JsonObject>();
    var subresources = new LinkedHashMap<String, List<Json>>();
    var listed = list.array("resources").objects();
    for (var each : listed) {
      if (!each.string("name").contains("/")) {
        resources.put(each.string("name"), parent(each));
      }
    }
    for (var each : listed) {
      int slash = each.string("name").indexOf('/');
      if (slash >= 0) {
        var name = each.string("name").substring(0, slash);
        var parent = resources.computeIfAbsent(name, absent -> orphan(name, each));
        if (!parent.string("scope").equals(scope(each))) {
          throw new BackendException(
              "the scopes of %s and its parent do not match".formatted(each.string("name")));
        }
        subresources
            .computeIfAbsent(name, absent -> new ArrayList<>())
            .add(subresource(each.string("name").substring(slash + 1), each, each));
      }
    }
    return JsonArray.of(
        resources.entrySet().stream()
            .map(
                each -> {
                  var below = subresources.get(each.getKey());
                  return below == null
                      ? each.getValue()
                      : each.getValue().with("subresources", JsonArray.of(below));
                })
            .toList());
  }

  private static JsonObject parent(JsonObject sent) {
    var body =
        JsonObject.builder()
            .put("resource", sent.string("name"))
            .put("responseKind", kind(sent))
            .put("scope", scope(sent))
            .put("singularResource", sent.string("singularName"))
            .put("verbs", texts(sent, "verbs"));
    putTexts(body, sent, "shortNames");
    putTexts(body, sent, "categories");
    return body.build();
  }

  /** The entry for a resource of which only subresources are served. */
  private static JsonObject orphan(String name, JsonObject subresource) {
    return JsonObject.of(
        "resource",
        name,
        "responseKind",
        kind(JsonObject.EMPTY),
        "scope",
        scope(subresource),
        "singularResource",
        "",
        "verbs",
        JsonArray.EMPTY);
  }

  private static String scope(JsonObject sent) {
    return sent.isTrue("namespaced") ? NAMESPACED : CLUSTER;
  }
}
