package dev.muster.validation;

import dev.muster.model.json.JsonObject;

/** Restores metadata that status updates cannot change. */
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

  /** The object with the old values of these metadata fields. */
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
