package dev.muster.registry.body;

import static java.util.Map.entry;

import dev.muster.model.GroupKind;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.json.Json;
import dev.muster.model.json.JsonArray;
import dev.muster.model.json.JsonObject;
import dev.muster.registry.rules.EmptyPlace;
import dev.muster.registry.rules.EmptyPlaces;
import dev.muster.registry.types.CanonicalForm;
import dev.muster.registry.types.ObjectMeta;
import dev.muster.registry.types.ServedType;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was sent empty and read as if it had been left out, in the few places where the two are not
 * the same until an object is stored. Most of it is refused there; the rest counts as a change.
 */
public final class SentEmpty {
  private static final String CORE = "";
  private static final String BATCH = "batch";
  private static final String DEVICES = "resource.k8s.io";
  private static final String CODES = ".podFailurePolicy.rules[].onExitCodes.values";

  private static final GroupKind JOB = new GroupKind(BATCH, "Job");

  /** Where an empty list or map is refused though none would be accepted, or shown as it is. */
  private static final Map<GroupKind, List<EmptyPlace>> PLACES =
      Map.ofEntries(
          entry(JOB, places("spec" + CODES, "spec.template.metadata.labels")),
          entry(new GroupKind(BATCH, "CronJob"), places("spec.jobTemplate.spec" + CODES)),
          entry(new GroupKind(CORE, "ConfigMap"), places("data", "binaryData")),
          entry(new GroupKind(CORE, "Secret"), places("data")),
          entry(new GroupKind(CORE, "PersistentVolume"), places("spec.capacity")),
          entry(new GroupKind(CORE, "PersistentVolumeClaim"), places("spec.resources.requests")),
          entry(new GroupKind(CORE, "ResourceQuota"), places("spec.scopes")),
          entry(
              new GroupKind("autoscaling", "HorizontalPodAutoscaler"),
              places("spec.behavior.scaleUp.policies", "spec.behavior.scaleDown.policies")),
          entry(new GroupKind(DEVICES, "ResourceClaimTemplate"), places(foreign("spec.metadata"))));

  /** Parts in which everything that is empty counts as a change when there was nothing. */
  private static final Map<GroupKind, String> TREES =
      Map.of(
          new GroupKind("networking.k8s.io", "NetworkPolicy"), "spec",
          new GroupKind("admissionregistration.k8s.io", "MutatingWebhookConfiguration"), "webhooks",
          new GroupKind("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
              "webhooks");

  /** Chosen by default, whether they were left out or sent empty. */
  private static final EmptyPlace TYPES = EmptyPlace.at("spec.policyTypes");

  private static final EmptyPlace RULES = EmptyPlace.at("spec.rules");
  private static final List<EmptyPlace> SLICES = places("spec.devices", "spec.sharedCounters");

  private SentEmpty() {}

  private static List<EmptyPlace> places(Stream<EmptyPlace> places, String... more) {
    return Stream.concat(places, Stream.of(more).map(EmptyPlace::at)).toList();
  }

  private static List<EmptyPlace> places(String... paths) {
    return places(Stream.of(), paths);
  }

  private static Stream<EmptyPlace> foreign(String metadata) {
    return EmptyPlaces.IN_TEMPLATE_METADATA.stream().map(place -> place.below(metadata));
  }

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
  public static JsonObject keptFields(GroupVersionKind kind, JsonObject sent, JsonObject read) {
    var kept = read;
    for (var place : PLACES.getOrDefault(kind.groupKind(), List.of())) {
      kept = place.kept(sent, kept);
    }
    var tree = TREES.get(kind.groupKind());
    if (tree != null) {
      return trees(Schemas.of(kind), tree, sent, kept);
    }
    return switch (kind.kind()) {
      case "Pod", "PodTemplate", "Job", "CronJob" -> SentEmptyPod.kept(kind.kind(), sent, kept);
      case "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet", "ReplicationController" ->
          SentEmptyPod.kept(kind.kind(), sent, TemplateLabels.kept(sent, kept));
      case "Ingress" -> read.object("spec").has("defaultBackend") ? kept : RULES.kept(sent, kept);
      case "ResourceSlice" -> slice(sent, kept);
      case "CustomResourceDefinition" -> SentSchemas.kept(sent, kept);
      default -> kept;
    };
  }

  /** The object without what was kept in it, as its owners see it. */
  public static JsonObject dropped(ServedType type, JsonObject object) {
    var kind = type.stored().groupKind();
    if (TREES.containsKey(kind)) {
      return ObjectMeta.keep(CanonicalForm.of(type, object), object, "managedFields");
    }
    return EmptyPlaces.dropped(PLACES.getOrDefault(kind, List.of()), object);
  }

  /** What says something about a new object only is as good as left out of an update. */
  public static JsonObject ofUpdate(ServedType type, JsonObject object, JsonObject old) {
    return type.storage().equals("/pods") ? SentEmptyPod.ofUpdate(object, old) : object;
  }

  /** The same the other way round. */
  public static JsonObject ofCreate(ServedType type, JsonObject object) {
    return type.storage().equals("/pods") ? SentEmptyPod.ofCreate(object) : object;
  }

  static boolean isEmptyList(@Nullable Json value) {
    return value instanceof JsonArray array && array.isEmpty();
  }

  private static JsonObject trees(
      @Nullable StructShape shape, String tree, JsonObject sent, JsonObject read) {
    var field = shape == null ? null : shape.field(tree);
    var from = sent.get(tree);
    var to = read.get(tree);
    return field == null || from == null || to == null
        ? read
        : TYPES.dropped(read.with(tree, EmptyTree.kept(field.shape(), from, to)));
  }

  /** One of the two is fine when it is empty, but not beside the other. */
  private static JsonObject slice(JsonObject sent, JsonObject read) {
    var spec = sent.object("spec");
    if (!spec.has("devices") || !spec.has("sharedCounters")) {
      return read;
    }
    var kept = read;
    for (var place : SLICES) {
      kept = place.kept(sent, kept);
    }
    return kept;
  }
}
