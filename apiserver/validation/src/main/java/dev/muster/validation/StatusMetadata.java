package dev.muster.validation;

import dev.muster.model.json.JsonObject;

/** Metadata of objects whose status updates may not change it. */
public final class StatusMetadata {
  private static final String[] KEPT = {
    "deletionTimestamp",
    "generation",
    "selfLink",
    "labels",
    "annotations",
    "finalizers",
    "ownerReferences"
  };

  private StatusMetadata() {}

  /** The object with what its metadata said before. */
  public static JsonObject kept(JsonObject object, JsonObject old) {
    var metadata = object.object("metadata");
    var before = old.object("metadata");
    for (var field : KEPT) {
      var value = before.get(field);
      metadata = value == null ? metadata.without(field) : metadata.with(field, value);
    }
    return object.with("metadata", metadata);
  }
}
