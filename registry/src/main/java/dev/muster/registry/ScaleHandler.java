package dev.muster.registry;

import dev.muster.model.ApiException;
import dev.muster.model.FieldError;
import dev.muster.model.FieldPath;
import dev.muster.model.GroupVersionKind;
import dev.muster.model.JsonObject;
import dev.muster.model.LabelSelector;
import dev.muster.schema.Schemas;
import dev.muster.schema.StructShape;
import dev.muster.schema.TypedReader;
import java.util.List;

/**
 * The subresource {@code scale} of workloads: a small view of the parent's replicas that can be
 * changed without knowing the parent. Writes block; called on virtual threads.
 */
public final class ScaleHandler {
  private static final GroupVersionKind SCALE = new GroupVersionKind("autoscaling", "v1", "Scale");
  private static final StructShape SHAPE = Schemas.struct("io.k8s.api.autoscaling.v1.Scale");

  private final UpdateHandler updates;
  private final PatchHandler patches;
  private final Bodies bodies;

  public ScaleHandler(UpdateHandler updates, PatchHandler patches, Bodies bodies) {
    this.updates = updates;
    this.patches = patches;
    this.bodies = bodies;
  }

  /** The Scale of a workload. */
  public static JsonObject of(JsonObject parent) {
    var metadata = parent.object("metadata");
    var shown = JsonObject.builder();
    for (var field : List.of("name", "namespace", "uid", "resourceVersion", "creationTimestamp")) {
      shown.putIf(field, metadata.get(field));
    }
    var selector = parent.object("spec").get("selector");
    return TypedReader.normal(
        SHAPE,
        JsonObject.of(
            "kind",
            SCALE.kind(),
            "apiVersion",
            SCALE.apiVersion(),
            "metadata",
            shown.build(),
            "spec",
            JsonObject.of("replicas", parent.object("spec").integer("replicas", 0)),
            "status",
            JsonObject.of(
                "replicas",
                parent.object("status").integer("replicas", 0),
                "selector",
                selector instanceof JsonObject object ? text(parent, object) : "")));
  }

  /** A ReplicationController selects by a plain map, all others by a label selector. */
  private static String text(JsonObject parent, JsonObject selector) {
    return parent.string("kind").equals("ReplicationController")
        ? LabelSelector.ofLabels(selector).toString()
        : LabelSelector.ofObject(selector).toString();
  }

  public Outcome put(Call call, Bodies.Encoded body, WriteOptions options) {
    var scale = bodies.read(SCALE, SHAPE, body, options.fieldValidation(), call.warnings());
    PutHandler.checkName(call, scale);
    return change(call, options, "UpdateOptions", live -> scale);
  }

  public Outcome patch(Call call, String contentType, byte[] body) {
    var options = WriteOptions.parse(call.query(), "PatchOptions", false);
    var patch = patches.of(call, SCALE, SHAPE, contentType, body, options);
    return change(call, options, "PatchOptions", patch);
  }

  private Outcome change(
      Call call, WriteOptions options, String kind, PatchHandler.Patched change) {
    var outcome =
        updates.update(
            call,
            live -> {
              if (live == null) {
                throw ApiException.notFound(call.type().groupResource(), call.name());
              }
              return applied(change.of(of(live)), live);
            },
            options,
            new UpdateHandler.Manner(kind, false, true));
    return switch (outcome) {
      case Outcome.Stored stored -> new Outcome.Made(200, of(stored.object().tree()));
      case Outcome.Shown shown -> new Outcome.Made(200, of(shown.object()));
      case Outcome.Made made -> made;
      case Outcome.Done done -> done;
      case Outcome.Several several -> several;
    };
  }

  private static JsonObject applied(JsonObject scale, JsonObject live) {
    long replicas = scale.object("spec").integer("replicas", 0);
    if (replicas < 0) {
      throw ApiException.invalid(
          SCALE.groupKind(),
          ObjectMeta.name(scale),
          List.of(
              FieldError.invalid(
                  FieldPath.of("spec", "replicas"),
                  replicas,
                  "must be greater than or equal to 0")));
    }
    var parent = live.with("spec", live.object("spec").with("replicas", replicas));
    return ObjectMeta.keep(parent, scale, "resourceVersion");
  }
}
