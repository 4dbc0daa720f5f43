package dev.muster.server.answer;

import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.read.ListPage;
import dev.muster.types.ServedType;
import java.util.ArrayList;
import java.util.List;

/** Creates list objects and their metadata. */
final class ListMetadata {
  private ListMetadata() {}

  /** The metadata of a list. Lists of custom objects show {@code continue} even if it is empty. */
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

  /** A whole list. The items of built-in types lose their kind and version. */
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
