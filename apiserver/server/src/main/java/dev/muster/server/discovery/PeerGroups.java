package dev.muster.server.discovery;

import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;

/**
 * The resources that peers serve, from their aggregated discovery documents. Immutable; documents
 * are built again for another instance.
 *
 * @param servers the items of each server's document
 */
public record PeerGroups(List<JsonArray> servers) {
  public static final PeerGroups NONE = new PeerGroups(List.of());

  public PeerGroups {
    servers = List.copyOf(servers);
  }

  /**
   * The document of this server plus resources that only peers have. Common resources stay
   * unchanged.
   */
  JsonObject added(JsonObject document) {
    if (servers.isEmpty()) {
      return document;
    }
    var lists = new ArrayList<>(List.of(document.array("items")));
    lists.addAll(servers);
    return document.with("items", merged(lists, PeerGroups::groupName, PeerGroups::group));
  }

  private static String groupName(JsonObject group) {
    return group.object("metadata").string("name");
  }

  private static JsonObject group(JsonObject ours, JsonObject theirs) {
    return together(
        ours, theirs, "versions", version -> version.string("version"), PeerGroups::version);
  }

  private static JsonObject version(JsonObject ours, JsonObject theirs) {
    return together(
        ours, theirs, "resources", resource -> resource.string("resource"), (own, other) -> own);
  }

  private static JsonObject together(
      JsonObject ours,
      JsonObject theirs,
      String field,
      Function<JsonObject, String> name,
      BinaryOperator<JsonObject> both) {
    var lists = List.of(ours.array(field), theirs.array(field));
    return theirs.array(field).isEmpty() ? ours : ours.with(field, merged(lists, name, both));
  }

  private static JsonArray merged(
      List<JsonArray> lists, Function<JsonObject, String> name, BinaryOperator<JsonObject> both) {
    Map<String, JsonObject> items = new LinkedHashMap<>();
    var names = new ArrayList<List<String>>();
    for (var list : lists) {
      names.add(list.objects().stream().map(name).toList());
      list.objects().forEach(item -> items.merge(name.apply(item), item, both));
    }
    var ordered = new ArrayList<Json>();
    RelativeOrder.of(names).forEach(each -> ordered.add(items.get(each)));
    return JsonArray.of(ordered);
  }
}
