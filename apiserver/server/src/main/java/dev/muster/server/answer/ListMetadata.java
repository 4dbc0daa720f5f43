package dev.muster.server.answer;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.read.ListPage;
import dev.muster.types.ServedType;
import java.util.ArrayList;
import java.util.List;

/** What stands around the items of a list. */
final class ListMetadata {
  private ListMetadata() {}

  /** Of a list of objects; those of custom objects say what others leave out. */
  static JsonObject of(ServedType type, ListPage page) {
    return type.isCustom() ? of(page).with("continue", page.continueToken()) : of(page);
  }

  static JsonObject of(ListPage page) {
    var metadata =
        JsonObject.builder()
            .putIf("resourceVersion", page.revision() < 0 ? "" : Long.toString(page.revision()))
            .putIf("continue", page.continueToken());
    page.remaining().ifPresent(count -> metadata.put("remainingItemCount", count));
    return metadata.build();
  }

  /** A whole list of objects; those of built-in types lose their kind and version. */
  static JsonObject list(ServedType type, JsonObject metadata, List<JsonObject> objects) {
    var items = new ArrayList<JsonObject>();
    for (var object : objects) {
      items.add(type.isCustom() ? object : object.without("kind").without("apiVersion"));
    }
    return JsonObject.of(
        "kind",
        type.listKind().kind(),
        "apiVersion",
        type.kind().apiVersion(),
        "metadata",
        metadata,
        "items",
        JsonArray.of(items));
  }
}
