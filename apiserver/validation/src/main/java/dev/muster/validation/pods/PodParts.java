package dev.muster.validation.pods;

import dev.muster.model.json.JsonObject;
import dev.muster.model.validation.NameRule;
import dev.muster.validation.FieldCursor;
import dev.muster.validation.Generation;
import dev.muster.validation.Rule;
import dev.muster.validation.Rules;
import java.util.List;

/** What the subresources of a pod that change a part of its spec have in common. */
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

  /** The old pod with another spec; of the new metadata only what tracks the change counts. */
  static JsonObject withSpec(JsonObject pod, JsonObject old, JsonObject spec) {
    var metadata = pod.object("metadata");
    for (var field : KEPT) {
      metadata = keeping(metadata, old.object("metadata"), field);
    }
    var changed = old.with("metadata", metadata).with("spec", spec);
    return finished(changed, old);
  }

  /** What is checked in the metadata of any changed object, before its kind's own rules. */
  static void metadata(FieldCursor pod) {
    METADATA.check(pod);
  }

  static JsonObject finished(JsonObject pod, JsonObject old) {
    return Generation.counted(DisabledFields.droppedAt(pod, old, "spec"), old);
  }

  /** The field as the old object has it, present or not. */
  static JsonObject keeping(JsonObject object, JsonObject old, String field) {
    var value = old.get(field);
    return value == null ? object.without(field) : object.with(field, value);
  }
}
