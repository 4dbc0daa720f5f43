package dev.muster.server.answer;

import dev.muster.model.json.JsonObject;
import dev.muster.types.ServedType;

/** Creates the objects of watch bookmarks, which contain little more than a revision. */
record Bookmarks(ServedType type) {

  JsonObject object(long revision, boolean endOfInitialEvents) {
    var metadata = JsonObject.builder().put("resourceVersion", Long.toString(revision));
    if (endOfInitialEvents) {
      metadata.put("annotations", JsonObject.of("k8s.io/initial-events-end", "true"));
    }
    return type.form()
        .normal(
            JsonObject.of(
                "kind",
                type.kind().kind(),
                "apiVersion",
                type.kind().apiVersion(),
                "metadata",
                metadata.build()),
            null);
  }
}
