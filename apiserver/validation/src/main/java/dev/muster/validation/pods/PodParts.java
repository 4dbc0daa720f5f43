package dev.muster.validation.pods;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Generation;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.List;

/** Common code of subresources that change a part of a pod's spec. */
final class PodParts {
  static final String MIRROR = "kubernetes.io/config.mirror";
  private static final List<String> KEPT =
      List.of(
          "deletionTimestamp",
          "generation",
          "selfLink",
          "labels",
          "annotations",
          "finalizers",
          "ownerReferences");

  private static final Rule METADATA =
      Rule.all(Rules.plainMetadata(true, NameRule.PATH_SEGMENT), Rules.plainMetadataUpdate());

  private PodParts() {}

  /**
   * The old pod with another spec and the new metadata, in which labels, annotations and similar
   * fields stay as they were.
   */
  static JsonObject withSpec(JsonObject pod, JsonObject old, JsonObject spec) {
    var metadata = pod.object("metadata");
    for (var field : KEPT) {
      metadata = keeping(metadata, old.object("metadata"), field);
    }
    var changed = old.with("metadata", metadata).with("spec", spec);
    return finished(changed, old);
  }

  /** Validates the metadata of any changed object, before the rules of its kind. */
  static void metadata(FieldCursor pod) {
    METADATA.check(pod);
  }

  static JsonObject finished(JsonObject pod, JsonObject old) {
    return Generation.counted(DisabledFields.droppedAt(pod, old, "spec"), old);
  }

  /** The object with that field taken from the old object, also when it is absent there. */
  static JsonObject keeping(JsonObject object, JsonObject old, String field) {
    var value = old.get(field);
    return value == null ? object.without(field) : object.with(field, value);
  }
}
