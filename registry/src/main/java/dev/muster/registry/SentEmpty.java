package dev.muster.registry;

import dev.muster.model.GroupVersionKind;
import dev.muster.model.Json;
import dev.muster.model.JsonArray;
import dev.muster.model.JsonObject;
import dev.muster.model.LabelSelector;
import dev.muster.model.MalformedValueException;
import dev.muster.model.Names;
import dev.muster.schema.ResourceType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was sent empty and read as if it had been left out, in the few places where the two are not
 * the same. All of them are refused, but for the managed fields, which an empty list forgets.
 */
final class SentEmpty {
  private static final List<String> DIRECTIONS = List.of("scaleUp", "scaleDown");

  private SentEmpty() {}

  /** The object that was read with what it misses of what was sent. */
  static JsonObject kept(GroupVersionKind kind, Json sent, JsonObject read) {
    if (!(sent instanceof JsonObject object)) {
      return read;
    }
    var kept = read;
    if (isEmptyList(object.object("metadata").get("managedFields"))) {
      kept = ObjectMeta.with(kept, "managedFields", JsonArray.EMPTY);
    }
    return keptFields(kind, object, kept);
  }

  /** As {@link #kept}, but of the object's own fields alone. */
  static JsonObject keptFields(GroupVersionKind kind, JsonObject sent, JsonObject read) {
    return switch (kind.group()) {
      case "apps", "batch" -> SentEmptyPod.kept(kind.kind(), sent, labels(sent, read));
      case "" ->
          switch (kind.kind()) {
            case "Pod", "PodTemplate" -> SentEmptyPod.kept(kind.kind(), sent, read);
            case "ReplicationController" ->
                SentEmptyPod.kept(kind.kind(), sent, labels(sent, read));
            case "PersistentVolume" -> capacity(sent, read);
            default -> read;
          };
      case "autoscaling" -> kind.version().equals("v2") ? policies(sent, read) : read;
      case "networking.k8s.io" -> kind.kind().equals("Ingress") ? ingressRules(sent, read) : read;
      default -> read;
    };
  }

  /** No capacity is shown as it was sent. */
  private static JsonObject capacity(JsonObject sent, JsonObject read) {
    return sent.object("spec").get("capacity") instanceof JsonObject given && given.isEmpty()
        ? read.withAt(JsonObject.EMPTY, "spec", "capacity")
        : read;
  }

  /** What says something about a new object only is as good as left out of an update. */
  static JsonObject ofUpdate(ResourceType type, JsonObject object, JsonObject old) {
    return type.storage().equals("/pods") ? SentEmptyPod.ofUpdate(object, old) : object;
  }

  /** The same the other way round. */
  static JsonObject ofCreate(ResourceType type, JsonObject object) {
    return type.storage().equals("/pods") ? SentEmptyPod.ofCreate(object) : object;
  }

  static boolean isEmptyList(@Nullable Json value) {
    return value instanceof JsonArray array && array.isEmpty();
  }

  /** How fast an autoscaler may act: by default when it is left out, but not by no policy. */
  private static JsonObject policies(JsonObject sent, JsonObject read) {
    var kept = read;
    for (var direction : DIRECTIONS) {
      if (isEmptyList(sent.object("spec", "behavior", direction).get("policies"))) {
        kept = kept.withAt(JsonArray.EMPTY, "spec", "behavior", direction, "policies");
      }
    }
    return kept;
  }

  /** The rules of an Ingress that leads nowhere are shown as they were sent. */
  private static JsonObject ingressRules(JsonObject sent, JsonObject read) {
    return isEmptyList(sent.object("spec").get("rules"))
            && !read.object("spec").has("defaultBackend")
        ? read.withAt(JsonArray.EMPTY, "spec", "rules")
        : read;
  }

  /** The labels of a template that its selector does not choose are shown as they were sent. */
  private static JsonObject labels(JsonObject sent, JsonObject read) {
    var labels = sent.object("spec", "template", "metadata").get("labels");
    return labels instanceof JsonObject object && object.isEmpty() && !choosesAll(read)
        ? read.withAt(JsonObject.EMPTY, "spec", "template", "metadata", "labels")
        : read;
  }

  /**
   * Whether the selector chooses pods without labels, or is still to be generated together with
   * labels that pods may have.
   */
  private static boolean choosesAll(JsonObject object) {
    var spec = object.object("spec");
    var selector = spec.get("selector") instanceof JsonObject given ? given : null;
    switch (object.string("kind")) {
      case "ReplicationController" -> {
        return selector == null || selector.isEmpty();
      }
      case "Job" -> {
        if (!spec.isTrue("manualSelector")) {
          var name = ObjectMeta.name(object);
          return Names.labelValue(name.isEmpty() ? ObjectMeta.text(object, "generateName") : name)
              .isEmpty();
        }
      }
      default -> {}
    }
    try {
      return LabelSelector.ofObject(selector).matches(JsonObject.EMPTY);
    } catch (MalformedValueException e) {
      return true;
    }
  }
}
